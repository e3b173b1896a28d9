import { apiPrefix, type Endpoint, type EndpointCall } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { ApiError, refusal, unansweredError, unauthorizedError } from './api-error.ts';
import { noteServerTime } from './server-clock.ts';

/** Access tokens of whoever is signed in; null while nobody is. */
export interface TokenSource {
  /** One that is good for now. */
  current(): Promise<string | null>;
  /** Another one than this, which the server has refused. */
  insteadOf(refused: string): Promise<string | null>;
  /** The server knows them and does not let them in, for a reason in its own words. */
  turnedAway(reason: string): void;
}

let tokens: TokenSource = { current: async () => null, insteadOf: async () => null, turnedAway() {} };

/** From now on calls speak for whoever this names. */
export function setTokenSource(source: TokenSource): void {
  tokens = source;
}

type CallInput<Call extends EndpointCall> = Omit<Call, 'reply'> & { signal?: AbortSignal };

/** Calls the server by a line of the contract. Throws ApiError, or the signal's reason when the caller gave up. */
export async function call<Call extends EndpointCall>(
  endpoint: Endpoint<Call>,
  input: CallInput<Call>,
): Promise<Call['reply']> {
  const token = await tokenFor(endpoint, () => tokens.current());
  try {
    return await send(endpoint, input, token);
  } catch (error) {
    if (token === null || !(error instanceof ApiError)) throw error;
    if (error.code === 'UNAUTHORIZED') {
      return send(endpoint, input, await tokenFor(endpoint, () => tokens.insteadOf(token)));
    }
    if (error.code !== 'ACCOUNT_BLOCKED') throw error;
    tokens.turnedAway(error.message);
    if (!isPublicReading(endpoint)) throw error;
    return send(endpoint, input, null);
  }
}

const isPublicReading = ({ access, method }: Endpoint): boolean => access === 'public' && method === 'GET';

/** Whoever cannot be told who they are may still read. */
async function tokenFor(endpoint: Endpoint, ask: TokenSource['current']): Promise<string | null> {
  if (isPublicReading(endpoint)) return ask().catch(() => null);
  if (endpoint.access !== 'user') return null;
  const token = await ask();
  if (token === null) throw unauthorizedError();
  return token;
}

async function send<Call extends EndpointCall>(
  endpoint: Endpoint<Call>,
  input: CallInput<Call>,
  token: string | null,
): Promise<Call['reply']> {
  const { params, query, body, headers, signal }: EndpointCall & { signal?: AbortSignal } = input;
  const timeout = AbortSignal.timeout(limits.requestTimeoutMs);
  try {
    const response = await fetch(address(endpoint.path, params, query), {
      method: endpoint.method,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: {
        ...(headers as Record<string, string> | undefined),
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    noteServerTime(response.headers.get('date'));
    if (!response.ok) throw await refusal(response);
    return response.status === 204 ? undefined : await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted) throw unansweredError('TIMEOUT');
    // What fetch throws when the network fails.
    if (error instanceof TypeError) throw unansweredError('OFFLINE');
    throw error;
  }
}

function address(path: string, params: unknown, query: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams(Object.entries(query ?? {})).toString();
  return `${apiPrefix}${filled}${search && `?${search}`}`;
}
