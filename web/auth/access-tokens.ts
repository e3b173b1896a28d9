import { limits } from '#contract/limits.ts';
import { serverNow } from '../lib/server-clock.ts';
import { oneTabAtATime } from './one-tab-at-a-time.ts';

export interface AccessToken {
  token: string;
  /** Unix seconds on the server's clock. */
  expiresAt: number;
}

/** One session's access token, in memory alone. One renewal serves all calls that wait, in all tabs. */
export function createAccessTokens(request: () => Promise<AccessToken>) {
  let held: AccessToken | undefined;
  let renewal: Promise<string> | undefined;

  const isFresh = ({ expiresAt }: AccessToken): boolean => expiresAt - serverNow() > limits.tokenRenewalSeconds;

  function renew(): Promise<string> {
    const worn = held;
    renewal ??= oneTabAtATime('access token', async () => {
      // Another tab may have been quicker and shared its own.
      if (held === undefined || held === worn) held = await request();
      return held.token;
    }).finally(() => (renewal = undefined));
    return renewal;
  }

  return {
    /** The one at hand while it is good: nothing is requested. */
    fresh: (): string | undefined => (held && isFresh(held) ? held.token : undefined),

    current: async (): Promise<string> => (held && isFresh(held) ? held.token : renew()),

    /** A call that was under way while the token was renewed has been refused with the old one. */
    insteadOf: async (refused: string): Promise<string> => (held && held.token !== refused ? held.token : renew()),

    /** Takes what another tab has got. */
    adopt(token: AccessToken): void {
      held = token;
    },
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;
