import { ApiError, explainError } from '../lib/api-error.ts';

/** Where somebody stands with a code that was mailed to them. */
export interface CodeEntry {
  code: string;
  /** The code as it stands has been refused: it takes another one. */
  refused: boolean;
  /** No code helps this operation any more, only a new one. */
  dead: boolean;
  busy: 'start' | 'verify' | null;
  error: string | null;
}

/** What the form of a code asks for. */
export interface CodeFlow {
  setCode(text: string): Promise<void>;
  verify(): Promise<void>;
  resend(): Promise<void>;
}

export const untouched: CodeEntry = { code: '', refused: false, dead: false, busy: null, error: null };

/** What follows from a code that was not taken; the code stays. */
export function afterRefusal(error: unknown): Omit<CodeEntry, 'code'> {
  const reason = error instanceof ApiError ? error.code : null;
  return {
    busy: null,
    error: explainError(error),
    refused: reason === 'INVALID_CONFIRM_CODE',
    dead: reason === 'MAX_CONFIRM_ATTEMPTS' || reason === 'OPERATION_EXPIRED',
  };
}
