/** Once the browser has nothing better to do, and in any case after so long. */
export function whenIdle(withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Safari has none.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: withinMs });
    else setTimeout(resolve, withinMs);
  });
}
