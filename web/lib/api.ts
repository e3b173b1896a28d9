import { address } from '#contract/addresses.ts';
import {
  apiPrefix,
  type CallEndpoint,
  type CallInput,
  type Endpoint,
  type EndpointCall,
  type RequestOptions,
} from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { ApiError, refusal, unansweredError, unauthorizedError } from './api-error.ts';
import { noteServerTime } from './server-clock.ts';

/** The signed-in person's access tokens, null while nobody is signed in. */
export interface TokenSource {
  current(): Promise<string | null>;
  /** A token to use instead of one that the server has rejected. */
  replace(refused: string): Promise<string | null>;
  /** Called when the server says that the account is blocked. */
  onBlocked(reason: string): void;
}

let tokens: TokenSource = { current: async () => null, replace: async () => null, onBlocked() {} };

export function setTokenSource(source: TokenSource): void {
  tokens = source;
}

/** Calls an endpoint of the contract. Throws an ApiError or, if the caller has aborted, the signal's reason. */
export const call: CallEndpoint = async (endpoint, input) => {
  const token = await tokenFor(endpoint, () => tokens.current());
  try {
    return await send(endpoint, input, token);
  } catch (error) {
    if (token === null || !(error instanceof ApiError)) throw error;
    if (error.code === refusedToken(endpoint)) {
      return send(endpoint, input, await tokenFor(endpoint, () => tokens.replace(token)));
    }
    if (error.code !== 'ACCOUNT_BLOCKED') throw error;
    tokens.onBlocked(error.message);
    if (!isPublicReading(endpoint)) throw error;
    return send(endpoint, input, null);
  }
};

/** The code of a call with an expired token. The calls of the moderation desk do not say that they exist. */
const refusedToken = ({ access }: Endpoint) => (access === 'moderator' ? 'NOT_FOUND' : 'UNAUTHORIZED');

const isPublicReading = ({ access, method }: Endpoint): boolean => access === 'public' && method === 'GET';

/** Public data can be read without a token when none can be obtained. */
async function tokenFor(endpoint: Endpoint, ask: TokenSource['current']): Promise<string | null> {
  if (isPublicReading(endpoint)) return ask().catch(() => null);
  if (endpoint.access === 'public' || endpoint.access === 'cookie') return null;
  const token = await ask();
  if (token === null) throw unauthorizedError();
  return token;
}

async function send<Call extends EndpointCall>(
  endpoint: Endpoint<Call>,
  input: CallInput<Call> & RequestOptions,
  token: string | null,
): Promise<Call['reply']> {
  const { params, query, body, headers, signal, keepalive = false }: EndpointCall & RequestOptions = input;
  const timeout = AbortSignal.timeout(limits.requestTimeoutMs);
  try {
    const response = await fetch(
      apiPrefix + address(endpoint.path).href(params as object, query as Record<string, string>),
      {
        method: endpoint.method,
        keepalive,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        headers: {
          ...(headers as Record<string, string> | undefined),
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    );
    noteServerTime(response.headers.get('date'));
    if (!response.ok) throw await refusal(response);
    return response.status === 204 ? undefined : await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted) throw unansweredError('TIMEOUT');
    // `fetch` throws a TypeError when the network fails.
    if (error instanceof TypeError) throw unansweredError('OFFLINE');
    throw error;
  }
}
