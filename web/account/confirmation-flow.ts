import { normalizeEmail } from '#contract/email.ts';
import { clientToken } from '../auth/client-token.ts';
import { afterRefusal, type CodeEntry, untouched } from '../auth/code-entry.ts';
import { codeIn, isWholeCode } from '../auth/confirm-code.ts';
import { awaitedLonger, type Operation, operationKeeper, secondsToWait } from '../auth/operation.ts';
import { ApiError, explainError } from '../lib/api-error.ts';

export interface ConfirmationState extends CodeEntry {
  step: 'start' | 'code';
  /** Where the code goes. */
  email: string;
  /** The operation whose code is awaited, or was before its step was left. */
  operation: Operation | null;
}

export interface ConfirmationOptions<Confirmed> {
  /** Where the tab keeps what was begun. */
  key: string;
  email: string;
  pauseSeconds: number;
  /** What cannot be undone waits for its button after the last digit. */
  waitsForButton?: boolean;
  start: (email: string, clientToken: string) => Promise<{ id: string }>;
  verify: (operation: Operation, confirmation: { confirmCode: string; clientToken: string }) => Promise<Confirmed>;
  onConfirmed: (confirmed: Confirmed) => void;
}

export type ConfirmationFlow = ReturnType<typeof createConfirmationFlow>;

/** A change of the account that a mailed code confirms. */
export function createConfirmationFlow<Confirmed>(options: ConfirmationOptions<Confirmed>) {
  const { key, pauseSeconds, waitsForButton = false, start, verify, onConfirmed } = options;
  const listeners = new Set<() => void>();
  const keeper = operationKeeper<Operation>(key);
  const begun = keeper.kept(Date.now());
  let state: ConfirmationState = {
    ...untouched,
    step: begun ? 'code' : 'start',
    email: begun?.email ?? options.email,
    operation: begun,
  };

  function change(part: Partial<ConfirmationState>): void {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  }

  function awaitCode(operation: Operation): void {
    keeper.keep(operation);
    change({ ...untouched, step: 'code', operation });
  }

  async function askForCode(): Promise<void> {
    if (state.busy) return;
    const email = state.email.trim();
    change({ busy: 'start', error: null });
    try {
      const { id } = await start(email, await clientToken());
      awaitCode({ id, email, startedAt: Date.now(), pauseSeconds });
    } catch (error) {
      refuseStart(error);
    }
  }

  function refuseStart(error: unknown): void {
    if (isAboutAddress(error)) return beginAnew(error);
    if (state.step === 'code' && state.operation && error instanceof ApiError && error.retryAfter !== null) {
      // The button that asked counts down what there is to wait.
      const longer = awaitedLonger(state.operation, error.retryAfter, Date.now());
      keeper.keep(longer);
      change({ operation: longer });
    }
    change({ busy: null, error: explainError(error) });
  }

  /** It takes another address. */
  function beginAnew({ message }: ApiError): void {
    keeper.forget();
    change({ ...untouched, step: 'start', operation: null, refused: true, error: message });
  }

  async function confirm(): Promise<void> {
    const { operation, code, refused, dead, busy } = state;
    if (busy || refused || dead || !operation || !isWholeCode(code)) return;
    change({ busy: 'verify', error: null });
    try {
      const confirmed = await verify(operation, { confirmCode: code, clientToken: await clientToken() });
      keeper.forget();
      // Busy until the page is left.
      onConfirmed(confirmed);
    } catch (error) {
      if (isAboutAddress(error)) beginAnew(error);
      else change(afterRefusal(error));
    }
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    state: (): ConfirmationState => state,

    setEmail: (email: string): void => change({ email, refused: false, error: null }),

    async submit(): Promise<void> {
      const { operation, email } = state;
      const address = normalizeEmail(email);
      if (address === undefined) return;
      const same = operation !== null && normalizeEmail(operation.email) === address;
      // Its code still counts, and the server would only ask for patience.
      if (same && secondsToWait(operation, Date.now()) > 0) awaitCode(operation);
      else await askForCode();
    },

    resend: askForCode,

    async setCode(text: string): Promise<void> {
      const code = codeIn(text);
      if (state.busy || code === state.code) return;
      change({ code, refused: false, error: null });
      if (!waitsForButton) await confirm();
    },

    verify: confirm,

    leaveCode(): void {
      if (state.busy) return;
      keeper.forget();
      change({ ...untouched, step: 'start', operation: state.dead ? null : state.operation });
    },
  };
}

const aboutAddress = new Set(['INVALID_REQUEST', 'EMAIL_ALREADY_EXISTS', 'USER_NOT_FOUND']);

const isAboutAddress = (error: unknown): error is ApiError => error instanceof ApiError && aboutAddress.has(error.code);
