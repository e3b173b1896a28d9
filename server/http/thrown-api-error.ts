import { errors, type ErrorBody, type ErrorCode } from '#contract/errors.ts';

interface Particulars {
  message?: string | undefined;
  retryAfter?: number;
  limit?: string;
  wrongCodeFor?: string | undefined;
  /** Overrides the status in the table of errors. */
  status?: number;
}

/** Thrown by handlers to respond with an error of the contract. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  /** Seconds to wait, for 429 and 503. */
  readonly retryAfter: number | undefined;
  /** The name of the limit that was reached, for 429. */
  readonly limit: string | undefined;
  /** The e-mail address whose code was wrong. */
  readonly wrongCodeFor: string | undefined;
  readonly status: number;

  constructor(
    code: ErrorCode,
    { message, retryAfter, limit, wrongCodeFor, status = errors[code].status }: Particulars = {},
  ) {
    super(message ?? errors[code].message);
    this.code = code;
    this.retryAfter = retryAfter;
    this.limit = limit;
    this.wrongCodeFor = wrongCodeFor;
    this.status = status;
  }

  get body(): ErrorBody {
    return { code: this.code, message: this.message };
  }
}
