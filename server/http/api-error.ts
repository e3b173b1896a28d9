import { errors, type ErrorBody, type ErrorCode } from '#contract/errors.ts';

/** Thrown by handlers: an answer of the contract's table. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  /** Seconds to wait, for 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, { message, retryAfter }: { message?: string; retryAfter?: number } = {}) {
    super(message ?? errors[code].message);
    this.code = code;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return errors[this.code].status;
  }

  get body(): ErrorBody {
    return { code: this.code, message: this.message };
  }
}
