import { address } from '../contract/addresses.ts';
import type { CallEndpoint } from '../contract/calls.ts';
import { apiPrefix, type CallTypes, endpointOf, type RequestOptions } from '../contract/endpoint.ts';
import { limits } from '../contract/limits.ts';
import { refusal, noResponseError } from './api-error.ts';

export interface ClientOptions {
  /** The wall, for example `https://wall.example`. Without it, the wall that has sent the page. */
  baseUrl?: string;
  /** The access token. It is sent with the calls that use one. */
  token?: string | null;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * Whether a call uses an access token: all do but those by which one signs in and gets one. Public data can also be read
 * without one, and the session of a cookie ended.
 */
export const usesToken = (call: string): boolean =>
  !/^(POST \/(logins|registrations)\b|PATCH \/sessions\/current$)/.test(call);

/**
 * Makes a function that makes the calls of a wall. It rejects with an ApiError or, if the caller has aborted, with the
 * signal's reason.
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
