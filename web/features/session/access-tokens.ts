import { limits } from '#contract/limits.ts';
import { serverNow } from '../../lib/server-clock.ts';

export interface AccessToken {
  token: string;
  /** Unix seconds on the server's clock. */
  expiresAt: number;
}

/** The access token of one session, in memory only. All waiting calls share one renewal, and the other tabs get its token. */
export function createAccessTokens(requestToken: () => Promise<AccessToken>) {
  let cached: AccessToken | undefined;
  let renewal: Promise<string> | undefined;

  const isFresh = ({ expiresAt }: AccessToken): boolean => expiresAt - serverNow() > limits.tokenRenewalSeconds;

  async function request(): Promise<string> {
    cached = await requestToken();
    return cached.token;
  }

  const renew = (): Promise<string> => (renewal ??= request().finally(() => (renewal = undefined)));

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
