import { onWindowMoved } from '../../lib/watch-near.ts';

const seenAfterMs = 1_000;

/** The visible shares at which the browser reports. They are close together because of cards taller than the window. */
const shares = Array.from({ length: 21 }, (_, step) => step / 20);

/** Calls `onSeen` when half of the element, or half a window of it, was visible for a second in a visible tab. */
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

/** The part of the window that the header covers. */
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
