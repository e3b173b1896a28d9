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

  // What the header covers is not seen.
  const { scrollPaddingBlockStart: header } = getComputedStyle(document.documentElement);
  const observer = new IntersectionObserver(
    (entries) => {
      const { intersectionRect, boundingClientRect, rootBounds } = entries.at(-1)!;
      const whole = Math.min(boundingClientRect.height, rootBounds?.height ?? Infinity);
      isInView = intersectionRect.height > 0 && intersectionRect.height >= whole / 2;
      look();
    },
    { threshold: shares, rootMargin: `-${header} 0px 0px` },
  );
  observer.observe(element);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('visibilitychange', look);
  };
}
