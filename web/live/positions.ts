import { limits } from '#contract/limits.ts';

/** So long may an answer be on its way, and so much older than what was heard meanwhile may it be. */
const answerMs = limits.requestTimeoutMs;

/** How far the wall's changes have been heard, and how far they had been a moment ago. */
export function createPositions(first: string) {
  let heard = [{ position: first, at: -Infinity }];

  /** Where hearing stood before anything that has just arrived was asked for. */
  const stepBefore = (now: number) =>
    Math.max(
      0,
      heard.findLastIndex(({ at }) => at <= now - answerMs),
    );

  return {
    latest: (): string => heard.at(-1)!.position,

    note(position: string, now: number): void {
      heard = heard.slice(stepBefore(now));
      if (position !== heard.at(-1)!.position) heard.push({ position, at: now });
    },

    /** Back to before an answer that has just come was asked for. Tells whether that is anywhere else. */
    rewind(now: number): boolean {
      const before = heard.length;
      heard = heard.slice(0, stepBefore(now) + 1);
      return heard.length < before;
    },
  };
}
