import { setTimeout as pause } from 'node:timers/promises';

/** The longest time of a step. On a busy machine a step may take minutes. */
const timeoutMs = 300_000;

/** Rejects when a step takes too long: the calls that drive a browser wait for ever if the browser does not answer. */
export async function orHang<Result>(step: Promise<Result>): Promise<Result> {
  const ended = new AbortController();
  const hang = async (): Promise<never> => {
    await pause(timeoutMs, undefined, { signal: ended.signal });
    throw new Hang(`No answer in ${timeoutMs / 1_000} s`);
  };
  try {
    return await Promise.race([step, hang()]);
  } finally {
    ended.abort();
  }
}

export class Hang extends Error {}
