/** Uses that many clients share: at most `burst` at once, and `perSecond` in the long run. */
interface Rate {
  burst: number;
  perSecond: number;
}

/**
 * Limits what a group of clients may do together in this process. Unlike a budget in the database it costs nothing, so that
 * a refused request is free. The returned function spends one use, or gives the seconds until there is one.
 */
export function sharedRate({ burst, perSecond }: Rate): () => number {
  let left = burst;
  let countedAt = performance.now();

  return () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - countedAt) / 1_000) * perSecond);
    countedAt = now;
    if (left < 1) return Math.ceil((1 - left) / perSecond);
    left -= 1;
    return 0;
  };
}
