import { ApiError } from '#client/api-error.ts';
import type { CurrentUser } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import type { PersonalData } from '#contract/page-data.ts';
import { call, setTokenSource } from '../../lib/api.ts';
import { explainError } from '../../lib/explain-error.ts';
import { networkOrPause } from '../../lib/waits.ts';
import { createObservable, type Observable, useObservable } from '../../lib/observable.ts';
import { type OnDemand, useOnDemand } from '../../lib/on-demand.ts';
import { createRequiredContext } from '../../lib/required-context.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { openTabChannel } from '../../lib/tab-channel.ts';
import { clientToken } from './client-token.ts';
import { isFlagChanged, isReplaced, onReturn, readSignInFlag, removeSignInFlag } from './sign-in-flag.ts';

/** A part that only signed-in people have, loaded once somebody is. */
export const useSignedInPart = <Part>(part: OnDemand<Part>) => useOnDemand(part, useSessionState().is === 'authorized');

interface AccessToken {
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

type AccessTokens = ReturnType<typeof createAccessTokens>;

/** `blocked`: the reason why the person was signed out. `isTold`: the person has read it. `failure`: why the server could not say who is signed in. */
type SignedOut = { is: 'signed-out'; blocked?: string; isTold?: true; failure?: string };

export type SessionState = { is: 'authorizing' } | { is: 'authorized'; user: CurrentUser } | SignedOut;

/** `byChoice`: the person ended the session on this page. */
type EndListener = (byChoice: boolean, state: SignedOut) => void;

export type Session = ReturnType<typeof createSession>;

export const [SessionProvider, useSession] = createRequiredContext<Session>();

export const useSessionState = (): SessionState => useObservable(useSession().state);

/** Failed attempts to load the user before the page is shown as to a visitor. Attempts go on after that. */
const attemptsBeforeFailure = 2;

/** For whom the server has made the page. */
type Known = Pick<PersonalData, 'user' | 'flag'>;

/** The signed-in person. All tabs show the same one: they follow a flag in a cookie and notify each other. The session cookie decides on the server. */
export function createSession(known?: Known) {
  const state = createObservable<SessionState>(
    known?.user ? { is: 'authorized', user: known.user } : { is: 'authorizing' },
  );
  const ended = createObservable<{ byChoice: boolean; state: SignedOut } | null>(null);
  /** The value of the flag cookie at the sign-in from which the tokens come. */
  let flag: string | null = null;
  let tokens: AccessTokens | null = null;
  /** The current attempt to load the user. */
  let loading: Promise<void> | undefined;
  let failedAttempts = 0;
  /** The person is doing something that ends the session, for instance deletes the account. */
  let isEndAsked = false;
  let share: ((message: SessionMessage) => void) | undefined;

  function begin(of: string, person?: CurrentUser): void {
    flag = of;
    tokens = createAccessTokens(() => requestToken(of));
    loading = undefined;
    failedAttempts = 0;
    if (person) return;
    state.set({ is: 'authorizing' });
    void loadUserUntilKnown(of);
  }

  /** The message from another tab may arrive before its change of the cookie, so this waits for the cookie. */
  async function receive({ flag: theirs, accessToken, user }: SessionMessage): Promise<void> {
    if (theirs === flag && !accessToken && !user) return end();
    if (theirs !== flag) await isFlagChanged(flag);
    applyFlag();
    if (theirs !== flag) return;
    if (accessToken) {
      tokens?.adopt(accessToken);
      if (hasFailed()) void loadUser(theirs);
    }
    if (user) state.set({ is: 'authorized', user });
  }

  function hasFailed(): boolean {
    const current = state.get();
    return current.is === 'signed-out' && current.failure !== undefined;
  }

  function end(byChoice = false, next: SignedOut = { is: 'signed-out' }): void {
    const ending = flag;
    if (ending !== null) removeSignInFlag(ending);
    flag = null;
    tokens = null;
    if (ending !== null) share?.({ flag: ending });
    // Before the state, so that the listeners leave a page for signed-in people before it is rendered as not found.
    ended.set({ byChoice: byChoice || isEndAsked, state: next });
    isEndAsked = false;
    state.set(next);
  }

  function block(reason: string): void {
    if (flag !== null) end(false, { is: 'signed-out', blocked: reason });
  }

  function applyFlag(): void {
    const current = readSignInFlag();
    if (current === flag) return;
    if (flag !== null && current !== null && isReplaced(flag)) removeSignInFlag(flag);
    // The flag is gone or of another sign-in, so the session has ended.
    else if (flag !== null) end();
    if (current !== null) begin(current);
  }

  async function requestToken(of: string): Promise<AccessToken> {
    try {
      const { accessToken } = await call('PATCH /sessions/current', { body: { clientToken: await clientToken() } });
      if (flag === of) applyFlag();
      share?.({ flag: readSignInFlag() ?? of, accessToken });
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
      // After a failure calls do not wait for a token, so this does.
      await tokens?.current();
      const user = await call('GET /users/current', {});
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

  /** Makes a call fail with the reason for the block, so that an open form shows this reason and does not ask the person to sign in. */
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
      share = openTabChannel<SessionMessage>('session', receive);
      onReturn(applyFlag);
      const current = readSignInFlag();
      if (current === null) state.set({ is: 'signed-out' });
      else begin(current, known?.user ?? undefined);
    },

    /** Applies what the server has just changed about the user. */
    changeUser(part: Partial<CurrentUser> | { role: undefined } | { warning: undefined }): void {
      const current = state.get();
      if (current.is !== 'authorized' || flag === null) return;
      // A response with the whole user says by absence that the role or the warning has ended.
      const { role, warning, ...rest } = 'id' in part ? (part as CurrentUser) : { ...current.user, ...part };
      const user = { ...rest, ...(role && { role }), ...(warning !== undefined && { warning }) };
      state.set({ is: 'authorized', user });
      share?.({ flag, user });
    },

    /** Loads the user again. A session that was closed elsewhere ends here. */
    async confirm(): Promise<void> {
      const of = flag;
      if (of === null || state.get().is !== 'authorized') return;
      const user = await call('GET /users/current', {}).catch(() => null);
      if (user !== null && flag === of) state.set({ is: 'authorized', user });
    },

    /** The person has read the reason for the block. */
    noteBlockShown(): void {
      const current = state.get();
      if (current.is === 'signed-out' && current.blocked !== undefined) state.set({ ...current, isTold: true });
    },

    /** Makes another attempt to load the user, without a pause. */
    retry: async (): Promise<void> => {
      if (flag !== null) await loadUser(flag);
    },

    /** The server has already closed the session at the person's request. */
    endByChoice: (): void => end(true),

    /** Says whether an end of the session from now on is at the person's request, also if the response that would say so is lost. */
    mayEnd: (byChoice: boolean): void => void (isEndAsked = byChoice),
  };
}

/** Sent to the browser's other tabs. */
interface SessionMessage {
  /** The flag of the sign-in that the message belongs to. Alone it says that the session has ended. */
  flag: string;
  /** A new token, so that the other tabs need not renew theirs. */
  accessToken?: AccessToken;
  /** The user after a change. */
  user?: CurrentUser;
}
