import { normalizeEmail } from '#contract/email.ts';
import { ApiError } from '#client/api-error.ts';
import { explainError } from '../../lib/api-error.ts';
import { createObservable, type Observable } from '../../lib/observable.ts';
import { clientToken } from '../session/client-token.ts';
import { codeIn, isWholeCode } from './code-in.ts';
import { isUseful, type Operation, operationStorage, secondsToWait, withSecondsToWait } from './operation.ts';

export interface CodeFlowState {
  /** `offer` and `blocked` occur in sign-in only. */
  step: 'start' | 'offer' | 'code' | 'blocked';
  /** The address as typed. */
  email: string;
  /** The invitation as typed, null unless one is needed. Sign-in only. */
  invite: string | null;
  /** The hash of the consent that a registration needs, null for none. Sign-in only. */
  consent: string | null;
  /** The person has agreed to it. */
  agreed: boolean;
  consentError: string | null;
  /** The operation whose code is expected, or was expected before the person went back. */
  operation: Operation | null;
  code: string;
  /** The server has rejected the code, or the address, as it is now. */
  rejected: boolean;
  /** The operation accepts no code any more. Only a new code helps. */
  expired: boolean;
  busy: 'start' | 'verify' | null;
  error: string | null;
}

interface StartRequest extends Pick<CodeFlowState, 'email' | 'invite'> {
  purpose: Operation['purpose'];
  /** Only for a registration that needs one. */
  consent: string | undefined;
  clientToken: string;
}

interface Confirmation {
  confirmCode: string;
  clientToken: string;
}

export interface CodeFlowOptions<Verified> {
  /** The key under which the tab stores the operation. */
  key: string;
  email?: string;
  purpose?: Operation['purpose'];
  consent?: string | undefined;
  /** A registration needs an invitation. */
  byInvitation?: boolean;
  /** The server's pause between two codes. */
  pauseSeconds: number;
  /** The last digit does not send the code. For actions that cannot be undone. */
  waitsForButton?: boolean;
  /** Returns why no code can be requested, if so. */
  findObstacle?: () => string | null;
  start: (request: StartRequest) => Promise<{ id: string }>;
  verify: (operation: Operation, confirmation: Confirmation) => Promise<Verified>;
  /** Leaves the page. Resolves to a message if the result is of no use; then only a new code helps. */
  onVerified: (verified: Verified) => Promise<string | null>;
  /** Returns the new state after an error that leads to another step, else null. */
  onError: (error: ApiError, state: CodeFlowState) => Partial<CodeFlowState> | null;
}

export type CodeFlow = ReturnType<typeof createCodeFlow>;

const cleared = { code: '', rejected: false, expired: false, busy: null, error: null, consentError: null };

const notAgreed = 'Без согласия зарегистрироваться нельзя. Отметьте его, чтобы продолжить.';

/** The steps of every action that a code sent by mail confirms: start, enter the code, verify. */
export function createCodeFlow<Verified>(options: CodeFlowOptions<Verified>) {
  const { key, email: initialEmail = '', purpose: initialPurpose, pauseSeconds, waitsForButton = false } = options;
  const storage = operationStorage(key);
  const state = createObservable<CodeFlowState>({
    ...cleared,
    step: 'start',
    email: initialEmail,
    invite: options.byInvitation ? '' : null,
    consent: options.consent ?? null,
    agreed: false,
    operation: null,
  });
  returnToCode();

  function change(part: Partial<CodeFlowState>): void {
    state.set({ ...state.get(), ...part });
  }

  function returnToCode(): void {
    const stored = storage.read(Date.now());
    if (!stored) return;
    // A consent that has changed since has to be given again.
    change({ email: stored.email, agreed: stored.consent === options.consent });
    awaitCode(stored);
  }

  function awaitCode(operation: Operation): void {
    storage.write(operation);
    change({ ...cleared, step: 'code', operation });
  }

  async function start(purpose: Operation['purpose']): Promise<void> {
    const { busy, email: typed, invite, consent, agreed } = state.get();
    if (busy) return;
    const obstacle = options.findObstacle?.() ?? null;
    if (obstacle !== null) return change({ error: obstacle });
    const needsConsent = purpose === 'registration' && consent !== null;
    if (needsConsent && !agreed) return change({ ...cleared, step: 'offer', consentError: notAgreed });
    const given = needsConsent ? consent : undefined;
    const email = typed.trim();
    change({ busy: 'start', error: null, consentError: null });
    try {
      const { id } = await options.start({ email, purpose, invite, consent: given, clientToken: await clientToken() });
      awaitCode({ id, purpose, consent: given, email, startedAt: Date.now(), pauseSeconds });
    } catch (error) {
      if (changeStep(error)) return;
      const { step, operation } = state.get();
      if (step === 'code' && operation && error instanceof ApiError && error.retryAfter !== null) {
        // The button that requests a code counts these seconds down.
        const longer = withSecondsToWait(operation, error.retryAfter, Date.now());
        storage.write(longer);
        change({ operation: longer });
      }
      change({ busy: null, error: explainError(error) });
    }
  }

  async function verify(): Promise<void> {
    const { operation, code, rejected, expired, busy } = state.get();
    if (busy || rejected || expired || !operation || !isWholeCode(code)) return;
    change({ busy: 'verify', error: null });
    try {
      const verified = await options.verify(operation, { confirmCode: code, clientToken: await clientToken() });
      storage.remove();
      const problem = await options.onVerified(verified);
      // Without a problem the flow stays busy until the page is left.
      if (problem !== null) change({ busy: null, expired: true, error: problem });
    } catch (error) {
      if (changeStep(error)) return;
      const reason = error instanceof ApiError ? error.code : null;
      change({
        busy: null,
        error: explainError(error),
        rejected: reason === 'INVALID_CONFIRM_CODE',
        expired: reason === 'MAX_CONFIRM_ATTEMPTS' || reason === 'OPERATION_EXPIRED',
      });
    }
  }

  /** Returns false if the error does not lead to another step. */
  function changeStep(error: unknown): boolean {
    const next = error instanceof ApiError ? options.onError(error, state.get()) : null;
    if (!next) return false;
    if (next.operation === null) storage.remove();
    change({ ...cleared, ...next });
    return true;
  }

  function leaveCode(): void {
    const { busy, expired, operation } = state.get();
    if (busy) return;
    storage.remove();
    change({ ...cleared, step: 'start', operation: expired ? null : operation });
  }

  return {
    state: state as Observable<CodeFlowState>,

    /** Called when the form is shown again: returns to the code unless it was requested long ago. */
    reopen(): void {
      const { step, operation } = state.get();
      if (step === 'start') returnToCode();
      if (step !== 'code' || !operation) return;
      if (isUseful(operation, Date.now())) storage.write(operation);
      else leaveCode();
    },

    setEmail: (email: string): void => change({ email, rejected: false, error: null }),

    setAgreed: (agreed: boolean): void => change({ agreed, consentError: null }),

    setInvite: (invite: string): void => change({ invite, error: null }),

    async submit(): Promise<void> {
      const { operation, email } = state.get();
      const address = normalizeEmail(email);
      if (address === undefined) return;
      const isSame = operation !== null && normalizeEmail(operation.email) === address;
      // Its code is still valid, and the server would refuse to send another one yet.
      if (isSame && secondsToWait(operation, Date.now()) > 0) awaitCode(operation);
      else await start(initialPurpose);
    },

    register: (): Promise<void> => start('registration'),

    resend: (): Promise<void> => start(state.get().operation?.purpose ?? initialPurpose),

    async setCode(text: string): Promise<void> {
      const code = codeIn(text);
      const { busy, code: previous } = state.get();
      if (busy || code === previous) return;
      change({ code, rejected: false, error: null });
      if (!waitsForButton) await verify();
    },

    verify,

    leaveCode,
  };
}

const addressErrors = new Set(['INVALID_REQUEST', 'EMAIL_ALREADY_EXISTS', 'USER_NOT_FOUND']);

/** For `onError`: after an error about the address itself, the person has to enter another one. */
export function restartWithAddress({ code, message }: ApiError): Partial<CodeFlowState> | null {
  return addressErrors.has(code) ? { step: 'start', operation: null, rejected: true, error: message } : null;
}
