import { browserErrors, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { waitText } from './wait-text.ts';

/** Messages for errors that the browser finds without a response. */
const unanswered = {
  OFFLINE: 'Нет соединения. Проверьте сеть и попробуйте ещё раз.',
  TIMEOUT: 'Сервер долго не отвечает. Попробуйте ещё раз.',
  UNIDENTIFIED: 'Не удалось идентифицировать user-agent',
} as const;

type UnansweredCode = keyof typeof unanswered;

export class ApiError extends Error {
  readonly code: ErrorCode | UnansweredCode;
  /** 0 if there was no response. */
  readonly status: number;
  /** Seconds to wait, if the server said so. */
  readonly retryAfter: number | null;

  constructor(code: ApiError['code'], message: string, status = 0, retryAfter: number | null = null) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** For a call without a response. */
export function unansweredError(code: UnansweredCode): ApiError {
  return new ApiError(code, unanswered[code]);
}

/** For a call that is not sent because nobody is signed in. */
export function unauthorizedError(): ApiError {
  return new ApiError('UNAUTHORIZED', browserErrors.UNAUTHORIZED.message, browserErrors.UNAUTHORIZED.status);
}

/** The error in a response, with the server's message. */
export async function refusal(response: Response): Promise<ApiError> {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  const retryAfter = Number.isNaN(seconds) ? null : seconds;
  // The response may be a proxy's, without the JSON of the contract.
  const body: Partial<ErrorBody> = await response.json().catch(() => ({}));
  const code = body.code ?? 'INTERNAL';
  const message = body.message ?? browserErrors.INTERNAL.message;
  const when = code === 'TOO_MANY_REQUESTS' && retryAfter ? ` Повторить можно через ${waitText(retryAfter)}` : '';
  return new ApiError(code, message + when, response.status, retryAfter);
}

/** The message to show for any error. Errors that are bugs are also reported to the console. */
export function explainError(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  reportError(error);
  return browserErrors.INTERNAL.message;
}

/** Also for the errors of calls in the server's own process, which are of another class. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'NOT_FOUND';
