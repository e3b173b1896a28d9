import { listen } from './listen.ts';

/** Calls the listener now, and when the element enters or leaves the window or the `windows` windows below it. */
export function watchNear(element: Element, windows: number, listener: (isNear: boolean) => void): () => void {
  const observer = new IntersectionObserver(
    // The browser may report several entries at once. The last one is current.
    (entries) => listener(entries.at(-1)!.isIntersecting),
    { rootMargin: `0px 0px ${windows * 100}% 0px` },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/** Calls the listener now and after each scroll and resize. */
export function onWindowMoved(listener: () => void): () => void {
  listener();
  return listen(window, ['scroll', 'resize'], listener);
}
