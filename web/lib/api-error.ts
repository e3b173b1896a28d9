import { ApiError } from '#client/api-error.ts';
import { browserErrors } from '#contract/errors.ts';
import { waitText } from './wait-text.ts';

/** The message to show for any error. Errors that are bugs are also reported to the console. */
export function explainError(error: unknown): string {
  if (error instanceof ApiError) return error.message + whenToRepeat(error);
  reportError(error);
  return browserErrors.INTERNAL.message;
}

const whenToRepeat = ({ code, retryAfter }: ApiError): string =>
  code === 'TOO_MANY_REQUESTS' && retryAfter ? ` Повторить можно через ${waitText(retryAfter)}` : '';

/** Also for the errors of calls in the server's own process, which are of another class. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'NOT_FOUND';
