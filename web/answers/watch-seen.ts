import { onWindowMoved } from '../lib/on-window-moved.ts';

const seenAfterMs = 1_000;

/** Where to look at how much of it is seen: close to one another, for cards much taller than the window. */
const shares = Array.from({ length: 21 }, (_, step) => step / 20);

/** Tells once half of it, or half a window of it, was on screen for a whole second in a tab that is looked at. */
export function watchSeen(element: Element, onSeen: () => void): () => void {
  let isInView = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = () => {
    const isLookedAt = isInView && !document.hidden;
    if (!isLookedAt) {
      clearTimeout(timer);
      timer = undefined;
    } else timer ??= setTimeout(onSeen, seenAfterMs);
  };

  const measure = (seen: number, height: number, windowHeight: number) => {
    isInView = seen > 0 && seen >= Math.min(height, windowHeight) / 2;
    look();
  };
  const stopWatching =
    'IntersectionObserver' in window ? observe(element, measure) : measureByScrolling(element, measure);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    stopWatching();
    document.removeEventListener('visibilitychange', look);
  };
}

type Measure = (seen: number, height: number, windowHeight: number) => void;

/** What the header covers is not seen. */
const headerHeight = (): string => getComputedStyle(document.documentElement).scrollPaddingBlockStart;

function observe(element: Element, measure: Measure): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      const { intersectionRect, boundingClientRect, rootBounds } = entries.at(-1)!;
      measure(intersectionRect.height, boundingClientRect.height, rootBounds?.height ?? Infinity);
    },
    { threshold: shares, rootMargin: `-${headerHeight()} 0px 0px` },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

function measureByScrolling(element: Element, measure: Measure): () => void {
  return onWindowMoved(() => {
    const covered = Number.parseFloat(headerHeight());
    const { top, bottom, height } = element.getBoundingClientRect();
    measure(Math.min(bottom, innerHeight) - Math.max(top, covered), height, innerHeight - covered);
  });
}
