import { limits } from '#contract/limits.ts';

/** The longest time a response may take, and so the most it may be older than events received meanwhile. */
const responseMs = limits.requestTimeoutMs;

/** The positions in the wall's change log up to which events were received, with the times of receipt. */
export function createPositions(first: string) {
  let received = [{ position: first, at: -Infinity }];

  /** The index of the last position received before any response that has just arrived was requested. */
  const stepBefore = (now: number) =>
    Math.max(
      0,
      received.findLastIndex(({ at }) => at <= now - responseMs),
    );

  return {
    latest: (): string => received.at(-1)!.position,

    note(position: string, now: number): void {
      received = received.slice(stepBefore(now));
      if (position !== received.at(-1)!.position) received.push({ position, at: now });
    },

    /** Returns to the position before a response that has just arrived was requested. Says whether it is another one. */
    rewind(now: number): boolean {
      const before = received.length;
      received = received.slice(0, stepBefore(now) + 1);
      return received.length < before;
    },
  };
}
