/** Resolves when the browser is idle, at the latest after `withinMs`. */
export function whenIdle(withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: withinMs });
    else setTimeout(resolve, withinMs);
  });
}
