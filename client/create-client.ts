import { address } from '../contract/addresses.ts';
import type { CallEndpoint } from '../contract/calls.ts';
import { apiPrefix, type CallTypes, endpointOf, type RequestOptions } from '../contract/endpoint.ts';
import { limits } from '../contract/limits.ts';
import { refusal, noResponseError } from './api-error.ts';

export interface ClientOptions {
  /** The address of the wall, for example `https://wall.example`. If not set, calls go to the wall that has sent the page. */
  baseUrl?: string;
  /** The access token. It is sent with the calls that use one. */
  token?: string | null;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * Whether a call may be sent with an access token. Only the calls that sign in or get a token may not. Calls that read public data,
 * and the call that ends the session of the cookie, also work without a token.
 */
export const usesToken = (call: string): boolean =>
  !/^(POST \/(logins|registrations)\b|PATCH \/sessions\/current$)/.test(call);

/**
 * Returns a function that makes calls to a wall. It rejects with an ApiError or, if the caller has aborted the call, with the
 * signal's reason. A success whose body is not JSON rejects with a SyntaxError.
 */
export function createClient({ baseUrl = '', token, fetch: send = fetch }: ClientOptions = {}): CallEndpoint {
  return async (call, input) => {
    const { params, query, body, headers, signal, keepalive = false }: CallTypes & RequestOptions = input;
    const { method, path } = endpointOf(call);
    const timeout = AbortSignal.timeout(limits.requestTimeoutMs);
    try {
      const response = await send(
        baseUrl + apiPrefix + address(path).href(params as object, query as Record<string, string>),
        {
          method,
          keepalive,
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
          headers: {
            ...(headers as Record<string, string> | undefined),
            ...(token && usesToken(call) && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          body: JSON.stringify(body),
        },
      );
      if (!response.ok) throw await refusal(response);
      return response.status === 204 ? undefined : await response.json();
    } catch (error) {
      if (signal?.aborted) throw error;
      if (timeout.aborted) throw noResponseError('TIMEOUT');
      // `fetch` throws a TypeError when the network fails.
      if (error instanceof TypeError) throw noResponseError('OFFLINE');
      throw error;
    }
  };
}
