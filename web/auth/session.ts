import { type CurrentUser, getCurrentUser } from '#contract/account.ts';
import { closeCurrentSession, renewToken } from '#contract/sessions.ts';
import { ApiError, explainError } from '../lib/api-error.ts';
import { call, setTokenSource } from '../lib/api.ts';
import { networkOrPause } from '../lib/network-or-pause.ts';
import { type AccessToken, type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { clientToken } from './client-token.ts';
import { openSessionChannel } from './session-channel.ts';
import { onSignInMark, removeSignInMark, signInMark } from './sign-in-mark.ts';

export type SessionState =
  | { is: 'authorizing' }
  | { is: 'authorized'; user: CurrentUser }
  /** Possibly because they are blocked, with the reason, or because the server could not be asked, with the error. */
  | { is: 'signed-out'; blocked?: string; failure?: string };

/** Called when a session has ended: by choice when the person ended it here. */
type EndListener = (byChoice: boolean, left: Extract<SessionState, { is: 'signed-out' }>) => void;

export type Session = ReturnType<typeof createSession>;

/** Failed attempts to load the user before the page is a visitor's. Attempts go on after that. */
const attemptsBeforeFailure = 2;

/** Who is signed in, the same in all tabs: the mark in local storage leads, the session cookie decides. */
export function createSession() {
  const listeners = new Set<() => void>();
  const endListeners = new Set<EndListener>();
  let state: SessionState = { is: 'authorizing' };
  /** The sign-in that the tokens belong to. */
  let mark: string | null = null;
  let tokens: AccessTokens | null = null;
  /** The attempt to load the user that is under way. */
  let loading: Promise<void> | undefined;
  let failedAttempts = 0;
  let share: ReturnType<typeof openSessionChannel> | undefined;

  function become(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function begin(of: string): void {
    mark = of;
    tokens = createAccessTokens(() => requestToken(of));
    loading = undefined;
    failedAttempts = 0;
    share ??= openSessionChannel(({ mark: theirs, accessToken, user }) => {
      if (theirs !== mark) return;
      if (accessToken) {
        tokens?.adopt(accessToken);
        if (hasFailed()) void loadUser(theirs);
      }
      if (user) become({ is: 'authorized', user });
    });
    become({ is: 'authorizing' });
    void loadUserUntilKnown(of);
  }

  const hasFailed = (): boolean => state.is === 'signed-out' && state.failure !== undefined;

  function end(byChoice = false, left: Parameters<EndListener>[1] = { is: 'signed-out' }): void {
    if (mark !== null) removeSignInMark(mark);
    mark = null;
    tokens = null;
    // First, so that a secured page makes way before it turns into one that is not there.
    for (const listener of endListeners) listener(byChoice, left);
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

  function loadUser(of: string): Promise<void> {
    loading ??= attemptToLoadUser(of).finally(() => (loading = undefined));
    return loading;
  }

  async function attemptToLoadUser(of: string): Promise<void> {
    try {
      // After a failure calls do not wait for a token.
      await tokens?.current();
      const user = await call(getCurrentUser, {});
      if (mark === of) become({ is: 'authorized', user });
    } catch (error) {
      if (mark !== of) return;
      failedAttempts += 1;
      if (failedAttempts >= attemptsBeforeFailure) become({ is: 'signed-out', failure: explainError(error) });
    }
  }

  /** Only the server can end the session: the mark outlives every failure, and a later attempt signs them in. */
  async function loadUserUntilKnown(of: string): Promise<void> {
    const isUnknown = () => mark === of && state.is !== 'authorized';
    while (isUnknown()) {
      await loadUser(of);
      if (isUnknown()) await networkOrPause();
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

    onEnd(listener: EndListener): () => void {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },

    /** In the browser, once. */
    start(): void {
      setTokenSource({
        current: async () => (hasFailed() ? tokens?.fresh() : tokens?.current()) ?? null,
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

    /** Tries once more, at once, to find out who is here. */
    retry: async (): Promise<void> => {
      if (mark !== null) await loadUser(mark);
    },

    async signOut(): Promise<void> {
      await call(closeCurrentSession, {});
      end(true);
    },

    /** The server has closed it at their wish. */
    leave: (): void => end(true),
  };
}
