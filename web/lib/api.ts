import { apiPrefix, type Endpoint, type EndpointCall } from '#contract/endpoint.ts';
import { errors, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';

/** What the browser finds out by itself, before any answer. */
const unanswered = {
  OFFLINE: 'Нет соединения. Проверьте сеть и попробуйте ещё раз.',
  TIMEOUT: 'Сервер долго не отвечает. Попробуйте ещё раз.',
} as const;

export class ApiError extends Error {
  readonly code: ErrorCode | keyof typeof unanswered;
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

type CallInput<Call extends EndpointCall> = Omit<Call, 'reply'> & { signal?: AbortSignal };

/** Calls the server by a line of the contract. Throws ApiError, or the signal's reason when the caller gave up. */
export async function call<Call extends EndpointCall>(
  endpoint: Endpoint<Call>,
  input: CallInput<Call>,
): Promise<Call['reply']> {
  const { params, query, body, signal }: EndpointCall & { signal?: AbortSignal } = input;
  const timeout = AbortSignal.timeout(limits.requestTimeoutMs);
  try {
    const response = await fetch(address(endpoint.path, params, query), {
      method: endpoint.method,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw await refusal(response);
    return response.status === 204 ? undefined : await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted) throw new ApiError('TIMEOUT', unanswered.TIMEOUT);
    // What fetch throws when the network fails.
    if (error instanceof TypeError) throw new ApiError('OFFLINE', unanswered.OFFLINE);
    throw error;
  }
}

/** What to tell a person about anything that was thrown. A fault of our own also goes to the console. */
export function explainError(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  reportError(error);
  return errors.INTERNAL.message;
}

function address(path: string, params: unknown, query: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams(Object.entries(query ?? {})).toString();
  return `${apiPrefix}${filled}${search && `?${search}`}`;
}

async function refusal(response: Response): Promise<ApiError> {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  const retryAfter = Number.isNaN(seconds) ? null : seconds;
  // A proxy in between may answer with something that is not the wall's JSON.
  const body: Partial<ErrorBody> = await response.json().catch(() => ({}));
  const code = body.code ?? 'INTERNAL';
  const message = body.message ?? errors.INTERNAL.message;
  const when = code === 'TOO_MANY_REQUESTS' && retryAfter ? ` Повторить можно через ${duration(retryAfter)}` : '';
  return new ApiError(code, message + when, response.status, retryAfter);
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} сек.` : `${Math.ceil(seconds / 60)} мин.`;
}
