import { browserErrors, type ErrorBody, type ErrorCode } from '../contract/errors.ts';

/** Messages for errors that the client finds without a response. */
const withoutResponse = {
  OFFLINE: 'Сервер не отвечает. Попробуйте ещё раз чуть позже.',
  TIMEOUT: 'Сервер долго не отвечает. Попробуйте ещё раз.',
} as const;

export class ApiError extends Error {
  readonly code: ErrorCode | keyof typeof withoutResponse;
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

/** The message when the browser itself has no network. Only browsers know this. */
const ownNetwork = 'Нет соединения. Проверьте сеть и попробуйте ещё раз.';

/** The error of a call without a response. */
export function noResponseError(code: keyof typeof withoutResponse): ApiError {
  // Node.js has no `onLine`, and before version 21 no `navigator`.
  const isOffline = typeof navigator !== 'undefined' && 'onLine' in navigator && !navigator.onLine;
  return new ApiError(code, isOffline ? ownNetwork : withoutResponse[code]);
}

/** The error in a response, with the server's message. */
export async function refusal(response: Response): Promise<ApiError> {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  // The response may be a proxy's, without the JSON of the contract.
  const body: Partial<ErrorBody> = await response.json().catch(() => ({}));
  const { code = 'INTERNAL', message = browserErrors.INTERNAL.message } = body;
  return new ApiError(code, message, response.status, Number.isNaN(seconds) ? null : seconds);
}
