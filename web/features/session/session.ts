import { type CurrentUser, getCurrentUser } from '#contract/account.ts';
import { closeCurrentSession, renewToken } from '#contract/sessions.ts';
import { ApiError } from '#client/api-error.ts';
import { explainError } from '../../lib/api-error.ts';
import { call, setTokenSource } from '../../lib/api.ts';
import { networkOrPause } from '../../lib/network-or-pause.ts';
import { createObservable, type Observable, useObservable } from '../../lib/observable.ts';
import { createRequiredContext } from '../../lib/required-context.ts';
import { openTabChannel } from '../../lib/tab-channel.ts';
import { type AccessToken, type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { clientToken } from './client-token.ts';
import { onSignInFlagElsewhere, readSignInFlag, removeSignInFlag } from './sign-in-flag.ts';

/** `blocked`: the reason why the person was signed out. `failure`: why the server could not say who is signed in. */
type SignedOut = { is: 'signed-out'; blocked?: string; failure?: string };

export type SessionState = { is: 'authorizing' } | { is: 'authorized'; user: CurrentUser } | SignedOut;

/** `byChoice`: the person ended the session on this page. */
type EndListener = (byChoice: boolean, state: SignedOut) => void;

export type Session = ReturnType<typeof createSession>;

export const [SessionProvider, useSession] = createRequiredContext<Session>();

export const useSessionState = (): SessionState => useObservable(useSession().state);

/** Failed attempts to load the user before the page is shown as to a visitor. Attempts go on after that. */
const attemptsBeforeFailure = 2;

/** The person signed in, the same in all tabs: tabs follow the flag in local storage, the session cookie decides. */
export function createSession() {
  const state = createObservable<SessionState>({ is: 'authorizing' });
  const ended = createObservable<{ byChoice: boolean; state: SignedOut } | null>(null);
  /** The flag of the sign-in that the tokens belong to. */
  let flag: string | null = null;
  let tokens: AccessTokens | null = null;
  /** The current attempt to load the user. */
  let loading: Promise<void> | undefined;
  let failedAttempts = 0;
  /** The person has asked for what ends the session. */
  let isEndAsked = false;
  let share: ((message: SessionMessage) => void) | undefined;

  function begin(of: string): void {
    flag = of;
    tokens = createAccessTokens(() => requestToken(of));
    loading = undefined;
    failedAttempts = 0;
    share ??= openTabChannel<SessionMessage>('session', ({ flag: theirs, accessToken, user }) => {
      if (theirs !== flag) return;
      if (accessToken) {
        tokens?.adopt(accessToken);
        if (hasFailed()) void loadUser(theirs);
      }
      if (user) state.set({ is: 'authorized', user });
    });
    state.set({ is: 'authorizing' });
    void loadUserUntilKnown(of);
  }

  function hasFailed(): boolean {
    const current = state.get();
    return current.is === 'signed-out' && current.failure !== undefined;
  }

  function end(byChoice = false, next: SignedOut = { is: 'signed-out' }): void {
    if (flag !== null) removeSignInFlag(flag);
    flag = null;
    tokens = null;
    // First, so that a page for signed-in people is left before it would render as not found.
    ended.set({ byChoice: byChoice || isEndAsked, state: next });
    isEndAsked = false;
    state.set(next);
  }

  function block(reason: string): void {
    if (flag !== null) end(false, { is: 'signed-out', blocked: reason });
  }

  function followFlag(): void {
    const current = readSignInFlag();
    if (current === flag) return;
    // The session has ended, also when somebody else has signed in since.
    if (flag !== null) end();
    if (current !== null) begin(current);
  }

  async function requestToken(of: string): Promise<AccessToken> {
    try {
      const { accessToken } = await call(renewToken, { body: { clientToken: await clientToken() } });
      share?.({ flag: of, accessToken });
      return accessToken;
    } catch (error) {
      if (flag === of && error instanceof ApiError) {
        if (error.code === 'UNAUTHORIZED') end();
        if (error.code === 'ACCOUNT_BLOCKED') block(error.message);
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
      // Needed after a failure: then calls do not wait for a token.
      await tokens?.current();
      const user = await call(getCurrentUser, {});
      if (flag === of) state.set({ is: 'authorized', user });
    } catch (error) {
      if (flag !== of) return;
      failedAttempts += 1;
      if (failedAttempts >= attemptsBeforeFailure) state.set({ is: 'signed-out', failure: explainError(error) });
    }
  }

  /** Only the server can end the session: no failure removes the flag, and a later attempt may succeed. */
  async function loadUserUntilKnown(of: string): Promise<void> {
    const isUnknown = () => flag === of && state.get().is !== 'authorized';
    while (isUnknown()) {
      await loadUser(of);
      if (isUnknown()) await networkOrPause();
    }
  }

  /** A form that was open when its author was blocked says so, instead of asking the person to sign in. */
  function refuseBlocked(): void {
    const current = state.get();
    if (current.is !== 'signed-out' || current.blocked === undefined) return;
    throw new ApiError('ACCOUNT_BLOCKED', current.blocked, 403);
  }

  return {
    state: state as Observable<SessionState>,

    /** Resolves to the state once it is known who is signed in. */
    known: (): Promise<SessionState> =>
      new Promise((resolve) => {
        const check = () => {
          const current = state.get();
          if (current.is === 'authorizing') return;
          stop();
          resolve(current);
        };
        const stop = state.subscribe(check);
        check();
      }),

    onEnd: (listener: EndListener): (() => void) =>
      ended.subscribe(() => {
        const ending = ended.get();
        if (ending) listener(ending.byChoice, ending.state);
      }),

    /** Called once, in the browser. */
    start(): void {
      setTokenSource({
        async current() {
          refuseBlocked();
          return (hasFailed() ? tokens?.fresh() : tokens?.current()) ?? null;
        },
        replace: async (rejected) => tokens?.replace(rejected) ?? null,
        onBlocked: block,
      });
      onSignInFlagElsewhere(followFlag);
      const current = readSignInFlag();
      if (current === null) state.set({ is: 'signed-out' });
      else begin(current);
    },

    /** Takes over what the server has just changed about the user. */
    changeUser(part: Partial<CurrentUser>): void {
      const current = state.get();
      if (current.is !== 'authorized' || flag === null) return;
      const user = { ...current.user, ...part };
      state.set({ is: 'authorized', user });
      share?.({ flag, user });
    },

    /** Loads the user again. A session that was closed elsewhere ends here. */
    async confirm(): Promise<void> {
      const of = flag;
      if (of === null || state.get().is !== 'authorized') return;
      const user = await call(getCurrentUser, {}).catch(() => null);
      if (user !== null && flag === of) state.set({ is: 'authorized', user });
    },

    /** Makes another attempt to load the user, without a pause. */
    retry: async (): Promise<void> => {
      if (flag !== null) await loadUser(flag);
    },

    async signOut(): Promise<void> {
      await call(closeCurrentSession, {});
      end(true);
    },

    /** The server has already closed the session at the person's request. */
    endByChoice: (): void => end(true),

    /** Whether the end of the session, should it be noticed, is at the person's request: the response may be lost. */
    mayEnd: (byChoice: boolean): void => void (isEndAsked = byChoice),
  };
}

/** Sent to the browser's other tabs. */
interface SessionMessage {
  /** The flag of the sign-in that the message belongs to. */
  flag: string;
  /** A new token, so that the other tabs need not renew theirs. */
  accessToken?: AccessToken;
  /** The user after a change. */
  user?: CurrentUser;
}
