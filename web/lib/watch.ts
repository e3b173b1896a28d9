import type { MouseEvent } from 'react';

/** Listens for events of these types until the returned function is called. */
export function listen(target: EventTarget, types: readonly string[], listener: () => void): () => void {
  for (const type of types) target.addEventListener(type, listener, { passive: true });
  return () => {
    for (const type of types) target.removeEventListener(type, listener);
  };
}

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

/** Takes a click on a link over from the browser, and returns whether it did. A click with a key opens a tab or a window as usual. */
export function takesClick(event: MouseEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return false;
  event.preventDefault();
  return true;
}
