import { ApiError } from '#client/api-error.ts';
import { browserErrors, waitAdvice } from '#contract/errors.ts';
import { waitText } from './counts.ts';

/** The message to show for any error. Errors that are bugs are also reported: in a browser to the console. */
export function explainError(error: unknown, report = (failure: unknown) => reportError(failure)): string {
  if (error instanceof ApiError) return withWait(error);
  report(error);
  return browserErrors.INTERNAL.message;
}

/** The general sentence, where the specification has no message of the server. How long to wait is said in words. */
export function explainGenerally(error: unknown): string {
  const message = explainError(error);
  return error instanceof ApiError && error.code !== 'TOO_MANY_REQUESTS' ? browserErrors.INTERNAL.message : message;
}

const withWait = ({ code, message, retryAfter }: ApiError): string =>
  code === 'TOO_MANY_REQUESTS' && retryAfter
    ? `${message.replace(waitAdvice, '')} Повторить можно через ${waitText(retryAfter)}`
    : message;

/** The first sentence of the message. It stands beside a button that tries again, so advice to do so is not needed. */
export const explainBriefly = (error: unknown): string => explainError(error).replace(/\..*/, '');

/** Whether the server has refused what was entered. */
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

/** Whether an error is NOT_FOUND. Calls in the server's own process throw errors of another class. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'NOT_FOUND';
