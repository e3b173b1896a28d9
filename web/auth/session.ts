import { type CurrentUser, getCurrentUser } from '#contract/account.ts';
import { closeCurrentSession, renewToken } from '#contract/sessions.ts';
import { ApiError } from '../lib/api-error.ts';
import { call, setTokenSource } from '../lib/api.ts';
import { networkOrPause } from '../lib/network-or-pause.ts';
import { type AccessToken, type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { clientToken } from './client-token.ts';
import { openSessionChannel } from './session-channel.ts';
import { onSignInMark, removeSignInMark, signInMark } from './sign-in-mark.ts';

export type SessionState =
  | { is: 'authorizing' }
  | { is: 'authorized'; user: CurrentUser }
  /** Perhaps because they are blocked, and why. */
  | { is: 'signed-out'; blocked?: string };

export type Session = ReturnType<typeof createSession>;

/** Who is signed in, the same in all tabs: the mark in local storage leads, the session cookie decides. */
export function createSession() {
  const listeners = new Set<() => void>();
  const endListeners = new Set<(byChoice: boolean) => void>();
  let state: SessionState = { is: 'authorizing' };
  /** The sign-in that the tokens belong to. */
  let mark: string | null = null;
  let tokens: AccessTokens | null = null;
  let share: ReturnType<typeof openSessionChannel> | undefined;

  function become(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function begin(of: string): void {
    mark = of;
    tokens = createAccessTokens(() => requestToken(of));
    share ??= openSessionChannel(({ mark: theirs, accessToken, user }) => {
      if (theirs !== mark) return;
      if (accessToken) tokens?.adopt(accessToken);
      if (user) become({ is: 'authorized', user });
    });
    become({ is: 'authorizing' });
    void loadUser(of);
  }

  function end(byChoice = false, left: SessionState = { is: 'signed-out' }): void {
    if (mark !== null) removeSignInMark(mark);
    mark = null;
    tokens = null;
    // First, so that a secured page makes way before it turns into one that is not there.
    for (const listener of endListeners) listener(byChoice);
    become(left);
  }

  function turnAway(reason: string): void {
    if (mark !== null) end(false, { is: 'signed-out', blocked: reason });
  }

  /** What other tabs do holds here as well. */
  function followMark(): void {
    const left = signInMark();
    if (left === mark) return;
    // Whoever was here is gone, also where somebody else has come since.
    if (mark !== null) end();
    if (left !== null) begin(left);
  }

  async function requestToken(of: string): Promise<AccessToken> {
    try {
      const { accessToken } = await call(renewToken, { body: { clientToken: await clientToken() } });
      share?.({ mark: of, accessToken });
      return accessToken;
    } catch (error) {
      if (mark === of && error instanceof ApiError) {
        if (error.code === 'UNAUTHORIZED') end();
        if (error.code === 'ACCOUNT_BLOCKED') turnAway(error.message);
      }
      throw error;
    }
  }

  /** Only the server can say that the session is over: a network that fails signs nobody out. */
  async function loadUser(of: string): Promise<void> {
    try {
      const user = await call(getCurrentUser, {});
      if (mark === of) become({ is: 'authorized', user });
    } catch {
      if (mark === of) await networkOrPause();
      if (mark === of) await loadUser(of);
    }
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    state: (): SessionState => state,

    /** The state once it is known who is here. */
    known: (): Promise<SessionState> =>
      new Promise((resolve) => {
        const look = () => {
          if (state.is === 'authorizing') return;
          listeners.delete(look);
          resolve(state);
        };
        listeners.add(look);
        look();
      }),

    /** Told when a session that there was is over: by choice when it was left here. */
    onEnd(listener: (byChoice: boolean) => void): () => void {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },

    /** In the browser, once. */
    start(): void {
      setTokenSource({
        current: async () => tokens?.current() ?? null,
        insteadOf: async (refused) => tokens?.insteadOf(refused) ?? null,
        turnedAway: turnAway,
      });
      onSignInMark(followMark);
      const left = signInMark();
      if (left === null) become({ is: 'signed-out' });
      else begin(left);
    },

    /** The server has changed something about them. */
    changeUser(part: Partial<CurrentUser>): void {
      if (state.is !== 'authorized' || mark === null) return;
      const user = { ...state.user, ...part };
      become({ is: 'authorized', user });
      share?.({ mark, user });
    },

    /** Takes in what the server knows of them by now; a session that was closed elsewhere ends here. */
    async confirm(): Promise<void> {
      const of = mark;
      if (of === null || state.is !== 'authorized') return;
      const user = await call(getCurrentUser, {}).catch(() => null);
      if (user !== null && mark === of) become({ is: 'authorized', user });
    },

    async signOut(): Promise<void> {
      await call(closeCurrentSession, {});
      end(true);
    },

    /** The server has closed it at their wish. */
    leave: (): void => end(true),
  };
}
