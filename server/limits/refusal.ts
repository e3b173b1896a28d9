import type { ErrorCode } from '#contract/errors.ts';

/**
 * A transaction that refuses returns this where an exception would roll back what was spent, or where the caller decides what
 * the reason means: the command line has other words for it than the API.
 */
export interface Refusal<Reason extends string = ErrorCode> {
  refused: Reason;
  message?: string;
  /** Overrides the status in the table of errors. */
  status?: number;
  wrongCodeFor?: string;
  /** The name of the limit that was reached, and the seconds until it allows one again. */
  limit?: string;
  retryAfter?: number;
}
