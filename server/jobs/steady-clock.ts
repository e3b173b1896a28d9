/** What a clock may gain or lose between two looks without having been set: it is kept right little by little. */
const slackSeconds = 5;

/**
 * Tells, looked at now and then, whether a clock has not been set for a while. By one that has been, nothing may be done
 * that cannot be undone: it may be set back.
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
