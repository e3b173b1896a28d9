import { startLogin, startRegistration, verifyLogin, verifyRegistration } from '#contract/auth.ts';
import { normalizeEmail } from '#contract/email.ts';
import { ApiError, explainError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';
import { clientToken } from './client-token.ts';
import { afterRefusal, type CodeEntry, untouched } from './code-entry.ts';
import { codeIn, isWholeCode } from './confirm-code.ts';
import { describeDevice } from './describe-device.ts';
import { cookiesOff, isSessionStored, notStored } from './session-stored.ts';
import { awaitedLonger, isUseful, secondsToWait } from './operation.ts';
import { type SignInOperation, signInOperation } from './sign-in-operation.ts';

const calls = {
  login: { start: startLogin, verify: verifyLogin },
  registration: { start: startRegistration, verify: verifyRegistration },
};

export interface SignInState extends CodeEntry {
  step: 'email' | 'offer' | 'code' | 'blocked';
  email: string;
  /** The code of an invitation, as typed; null while none is asked for. */
  invite: string | null;
  /** The operation whose code is awaited, or was before the address was changed. */
  operation: SignInOperation | null;
}

export interface SignInFlowOptions {
  /** How long the server asks to wait between two codes. */
  pauseSeconds: number;
  onSignedIn: () => void;
}

export type SignInFlow = ReturnType<typeof createSignInFlow>;

/** The way in, from the address to the code. */
export function createSignInFlow({ pauseSeconds, onSignedIn }: SignInFlowOptions) {
  const listeners = new Set<() => void>();
  let state: SignInState = { step: 'email', email: '', invite: null, operation: null, ...untouched };

  function change(part: Partial<SignInState>): void {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  }

  function awaitCode(operation: SignInOperation): void {
    signInOperation.keep(operation);
    change({ ...untouched, step: 'code', email: operation.email, operation });
  }

  async function start(purpose: SignInOperation['purpose']): Promise<void> {
    if (state.busy) return;
    // Before a code is sent in vain.
    if (cookiesOff()) return change({ error: notStored });
    const email = state.email.trim();
    change({ busy: 'start', error: null });
    try {
      const [token, device] = await Promise.all([clientToken(), describeDevice()]);
      const invitation = purpose === 'registration' && state.invite ? { invite: state.invite } : {};
      const { id } = await call(calls[purpose].start, { body: { email, clientToken: token, device, ...invitation } });
      awaitCode({ id, purpose, email, startedAt: Date.now(), pauseSeconds });
    } catch (error) {
      refuseStart(error);
    }
  }

  function refuseStart(error: unknown): void {
    const failed = { busy: null, error: explainError(error) };
    if (!(error instanceof ApiError)) return change(failed);
    if (error.code === 'USER_NOT_FOUND') return change({ ...untouched, step: 'offer' });
    if (error.code === 'REGISTRATION_CLOSED') return askForInvite(error);
    if (state.step === 'code' && state.operation && error.retryAfter !== null) {
      // The button that asked counts down what there is to wait.
      awaitLonger(state.operation, error.retryAfter);
    }
    change(failed);
  }

  /** The first time it is no fault of theirs: they did not know. */
  function askForInvite({ message }: ApiError): void {
    signInOperation.forget();
    const { invite, operation } = state;
    const email = operation?.email ?? state.email;
    change({
      ...untouched,
      step: 'offer',
      email,
      operation: null,
      invite: invite ?? '',
      error: invite ? message : null,
    });
  }

  function awaitLonger(operation: SignInOperation, seconds: number): void {
    const longer = awaitedLonger(operation, seconds, Date.now());
    signInOperation.keep(longer);
    change({ operation: longer });
  }

  async function verify(): Promise<void> {
    const { operation, code, refused, dead, busy } = state;
    if (busy || refused || dead || !operation || !isWholeCode(code)) return;
    change({ busy: 'verify', error: null });
    try {
      const { id, purpose } = operation;
      await call(calls[purpose].verify, {
        params: { id },
        body: { confirmCode: code, clientToken: await clientToken() },
      });
      signInOperation.forget();
      if (!(await isSessionStored())) return change({ busy: null, dead: true, error: notStored });
      // Busy until the page is gone.
      onSignedIn();
    } catch (error) {
      refuseCode(error);
    }
  }

  function refuseCode(error: unknown): void {
    const reason = error instanceof ApiError ? error.code : null;
    if (reason === 'REGISTRATION_CLOSED') return askForInvite(error as ApiError);
    if (reason !== 'ACCOUNT_BLOCKED') return change(afterRefusal(error));
    signInOperation.forget();
    change({ ...untouched, step: 'blocked', operation: null, error: explainError(error) });
  }

  function changeAddress(): void {
    if (state.busy) return;
    signInOperation.forget();
    change({ ...untouched, step: 'email', operation: state.dead ? null : state.operation });
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    state: (): SignInState => state,

    /** Where the visitor left, unless that is long ago. */
    open(): void {
      const { step, operation } = state;
      const now = Date.now();
      if (step === 'code' && operation) {
        if (isUseful(operation, now)) signInOperation.keep(operation);
        else changeAddress();
      } else if (step === 'email') {
        const kept = signInOperation.kept(now);
        if (kept) awaitCode(kept);
      }
    },

    setEmail: (email: string): void => change({ email, error: null }),

    setInvite: (invite: string): void => change({ invite, error: null }),

    async submitEmail(): Promise<void> {
      const { operation, email } = state;
      const address = normalizeEmail(email);
      if (address === undefined) return;
      const same = operation !== null && normalizeEmail(operation.email) === address;
      // Its code still counts, and the server would only ask for patience.
      if (same && secondsToWait(operation, Date.now()) > 0) awaitCode(operation);
      else await start('login');
    },

    register: (): Promise<void> => start('registration'),

    resend: (): Promise<void> => start(state.operation?.purpose ?? 'login'),

    changeAddress,

    async setCode(text: string): Promise<void> {
      const code = codeIn(text);
      if (state.busy || code === state.code) return;
      change({ code, refused: false, error: null });
      await verify();
    },

    verify,
  };
}
