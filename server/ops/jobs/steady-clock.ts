/** The time a clock may gain or lose between two calls without having been set: NTP adjusts it gradually. */
const slackSeconds = 5;

/**
 * Returns a function that checks whether the clock has run evenly for `seconds`. It compares the clock with a monotonic one
 * at each call, so it must be called regularly. A clock that has just been set may be set back; until then nothing may be
 * done that cannot be undone.
 */
export function steadyClock(
  now: () => number,
  seconds: number,
  elapsed: () => number = () => performance.now() / 1_000,
): () => boolean {
  let since = elapsed();
  let offset = now() - since;
  return () => {
    const at = elapsed();
    const before = offset;
    offset = now() - at;
    if (Math.abs(offset - before) > slackSeconds) since = at;
    return at - since >= seconds;
  };
}
