import { errors, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { waitText } from './wait-text.ts';

/** What the browser finds out by itself, before any answer. */
const unanswered = {
  OFFLINE: 'Нет соединения. Проверьте сеть и попробуйте ещё раз.',
  TIMEOUT: 'Сервер долго не отвечает. Попробуйте ещё раз.',
  UNIDENTIFIED: 'Не удалось идентифицировать user-agent',
} as const;

type UnansweredCode = keyof typeof unanswered;

export class ApiError extends Error {
  readonly code: ErrorCode | UnansweredCode;
  /** 0 when no answer came. */
  readonly status: number;
  /** Seconds to wait, when the server said so. */
  readonly retryAfter: number | null;

  constructor(code: ApiError['code'], message: string, status = 0, retryAfter: number | null = null) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** There was no answer, or nothing to ask with. */
export function unansweredError(code: UnansweredCode): ApiError {
  return new ApiError(code, unanswered[code]);
}

/** Refused before it was sent: nobody is signed in. */
export function unauthorizedError(): ApiError {
  return new ApiError('UNAUTHORIZED', errors.UNAUTHORIZED.message, errors.UNAUTHORIZED.status);
}

/** What the server refused, in its own words. */
export async function refusal(response: Response): Promise<ApiError> {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  const retryAfter = Number.isNaN(seconds) ? null : seconds;
  // A proxy in between may answer with something that is not the wall's JSON.
  const body: Partial<ErrorBody> = await response.json().catch(() => ({}));
  const code = body.code ?? 'INTERNAL';
  const message = body.message ?? errors.INTERNAL.message;
  const when = code === 'TOO_MANY_REQUESTS' && retryAfter ? ` Повторить можно через ${waitText(retryAfter)}` : '';
  return new ApiError(code, message + when, response.status, retryAfter);
}

/** What to tell a person about anything that was thrown. A fault of our own also goes to the console. */
export function explainError(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  reportError(error);
  return errors.INTERNAL.message;
}
