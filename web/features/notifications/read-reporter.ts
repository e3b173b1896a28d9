import { ApiError } from '#client/api-error.ts';

interface ReadReporterOptions {
  /** Whether one notification stands above another in the list, whose order is not that of the ids of the posts. */
  isNewer: (id: string, than: string) => boolean;
  /** Reports to the server that this notification and all older ones are read. */
  send: (upTo: string) => Promise<unknown>;
  /** Resolves when the next attempt may start after a failure. */
  pause: () => Promise<void>;
}

/** Notifications that are seen together are reported within this time: only the newest is sent. */
const gatherMs = 50;

/** Reports the newest notification that was seen, one request at a time, until the server has accepted or rejected it. */
export function createReadReporter({ isNewer, send, pause }: ReadReporterOptions) {
  let seen: string | null = null;
  let reported: string | null = null;
  let rejected: string | null = null;
  let reporting = false;

  async function report(): Promise<void> {
    if (reporting || seen === null || seen === reported) return;
    reporting = true;
    await new Promise((go) => setTimeout(go, gatherMs));
    const upTo = seen;
    try {
      await send(upTo);
      reported = upTo;
    } catch (error) {
      if (!isRejection(error)) await pause();
      else {
        rejected = upTo;
        // Older ones can still be reported.
        if (seen === upTo) seen = reported;
      }
    }
    reporting = false;
    await report();
  }

  return {
    read(id: string): void {
      if (id === rejected || (seen !== null && !isNewer(id, seen))) return;
      seen = id;
      void report();
    },
  };
}

/** The notification or the session no longer exists: another attempt would not help. */
const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.code !== 'TOO_MANY_REQUESTS';
