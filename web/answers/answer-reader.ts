import { ApiError } from '../lib/api-error.ts';

interface AnswerReaderOptions {
  /** Tells the server that everything up to this answer is read. */
  send: (upTo: string) => Promise<unknown>;
  /** Before the next attempt, after one that failed. */
  pause: () => Promise<void>;
}

/** Of answers seen together the newest may be the last to say so. */
const gatherMs = 50;

/** Tells how far one has read: the newest seen alone, one call at a time, until it is known or refused. */
export function createAnswerReader({ send, pause }: AnswerReaderOptions) {
  let seen = '0';
  let known = '0';
  let telling = false;

  async function tell(): Promise<void> {
    if (telling || seen === known) return;
    telling = true;
    await new Promise((go) => setTimeout(go, gatherMs));
    const upTo = seen;
    try {
      await send(upTo);
      known = upTo;
    } catch (error) {
      if (!isRefusal(error)) await pause();
      // What stands below it may be told yet.
      else if (seen === upTo) seen = known;
    }
    telling = false;
    await tell();
  }

  return {
    read(id: string): void {
      if (Number(id) <= Number(seen)) return;
      seen = id;
      void tell();
    },
  };
}

/** That answer is gone, or its reader is: asking again would not help. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.code !== 'TOO_MANY_REQUESTS';
