import { limits } from '#contract/limits.ts';

/**
 * Runs a check at intervals, and at once when the page is seen again or the network is back. A hidden page checks nothing;
 * a check that fails is repeated with the next one. Returns a function that ends it.
 */
export function whileVisible(check: () => Promise<void>): () => void {
  let running = false;
  const run = async () => {
    if (document.hidden || !navigator.onLine || running) return;
    running = true;
    await check().catch(() => {});
    running = false;
  };
  const runNow = () => void run();
  const timer = setInterval(runNow, limits.pollMs);
  document.addEventListener('visibilitychange', runNow);
  addEventListener('online', runNow);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', runNow);
    removeEventListener('online', runNow);
  };
}
