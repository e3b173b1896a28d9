import { limits } from '#contract/limits.ts';
import { serverNow } from '../../lib/server-clock.ts';

export interface AccessToken {
  token: string;
  /** Unix seconds on the server's clock. */
  expiresAt: number;
}

/** The access token of one session, in memory only. All waiting calls in all tabs share one renewal. */
export function createAccessTokens(request: () => Promise<AccessToken>) {
  let cached: AccessToken | undefined;
  let renewal: Promise<string> | undefined;

  const isFresh = ({ expiresAt }: AccessToken): boolean => expiresAt - serverNow() > limits.tokenRenewalSeconds;

  function renew(): Promise<string> {
    const previous = cached;
    renewal ??= oneTabAtATime('access token', async () => {
      // Another tab may have renewed the token meanwhile and shared it.
      if (cached === undefined || cached === previous) cached = await request();
      return cached.token;
    }).finally(() => (renewal = undefined));
    return renewal;
  }

  return {
    /** The cached token unless it is about to expire. Sends no request. */
    fresh: (): string | undefined => (cached && isFresh(cached) ? cached.token : undefined),

    current: async (): Promise<string> => (cached && isFresh(cached) ? cached.token : renew()),

    /** For a call that the server has rejected with this token: the token may have been renewed since. */
    replace: async (rejected: string): Promise<string> =>
      cached && cached.token !== rejected ? cached.token : renew(),

    /** Takes over a token that another tab has requested. */
    adopt(token: AccessToken): void {
      cached = token;
    },
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** A message to the other tabs needs a moment to arrive. Their turn comes after it. */
const messageMs = 50;

/** Runs a task in one tab at a time. Pages over plain HTTP have no locks: there several tabs may run it at once. */
function oneTabAtATime<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
  if (!('locks' in navigator)) return task();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timeout = AbortSignal.timeout(limits.requestTimeoutMs);
  navigator.locks
    .request(name, { signal: timeout }, async () => {
      await task().then(resolve, reject);
      await new Promise((done) => setTimeout(done, messageMs));
    })
    // The tab that holds the lock hangs.
    .catch(() => task().then(resolve, reject));
  return promise;
}
