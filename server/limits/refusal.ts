import type { ErrorCode } from '#contract/errors.ts';

/**
 * A transaction returns a refusal instead of throwing in two cases: an exception would roll back a spent budget, or the caller
 * chooses the words for the reason, which the command line says in other words than the API.
 */
export interface Refusal<Reason extends string = ErrorCode> {
  refused: Reason;
  message?: string;
  /** Overrides the status in the table of errors. */
  status?: number;
  wrongCodeFor?: string;
  /** The name of the limit that was reached. `retryAfter`: the seconds until it allows another use. */
  limit?: string;
  retryAfter?: number;
}
