import { onWindowMoved } from './on-window-moved.ts';

/** Tells whether an element is in the window or so many windows below it, now and when that changes. */
export function watchNear(element: Element, windows: number, tell: (isNear: boolean) => void): () => void {
  if (!('IntersectionObserver' in window)) return watchByScrolling(element, windows, tell);
  const observer = new IntersectionObserver(
    // Several may come at once; the last tells how things stand.
    (entries) => tell(entries.at(-1)!.isIntersecting),
    { rootMargin: `0px 0px ${windows * 100}% 0px` },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

function watchByScrolling(element: Element, windows: number, tell: (isNear: boolean) => void): () => void {
  let told: boolean | undefined;
  return onWindowMoved(() => {
    const { top, bottom } = element.getBoundingClientRect();
    const isNear = bottom >= 0 && top <= innerHeight * (1 + windows);
    if (isNear !== told) tell((told = isNear));
  });
}
