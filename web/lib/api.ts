import { ApiError } from '#client/api-error.ts';
import { createClient, usesToken } from '#client/create-client.ts';
import type { CallEndpoint, Calls, CallsFor } from '#contract/calls.ts';
import { browserErrors } from '#contract/errors.ts';
import { noteServerTime } from './server-clock.ts';
import { noting } from './server-silence.ts';

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

/** A function that calls an endpoint of the contract. It rejects with the same errors as the function of `createClient`. */
export const callBy = (send: typeof fetch): CallEndpoint => {
  const callWith = (token: string | null) =>
    createClient({
      token,
      async fetch(url, init) {
        const response = await noting(send(url, init));
        noteServerTime(response.headers.get('date'));
        return response;
      },
    });
  return async (name, input) => {
    const token = await tokenFor(name, () => tokens.current());
    try {
      return await callWith(token)(name, input);
    } catch (error) {
      if (token === null || !(error instanceof ApiError)) throw error;
      if (error.code === refusedToken(name)) {
        return callWith(await tokenFor(name, () => tokens.replace(token)))(name, input);
      }
      if (error.code !== 'ACCOUNT_BLOCKED') throw error;
      tokens.onBlocked(error.message);
      if (!isPublicRead(name)) throw error;
      return callWith(null)(name, input);
    }
  };
};

export const call = callBy((url, init) => fetch(url, init));

/** The error code of a call with an expired token. The calls of keepers answer NOT_FOUND, as if they did not exist. */
const refusedToken = (name: string) => (/ \/(moderation|keep)\b/.test(name) ? 'NOT_FOUND' : 'UNAUTHORIZED');

/** The calls that read public data. A list that differs from the contract does not compile. */
const publicReads: Record<Extract<CallsFor<'public'>, `GET ${string}`>, true> = {
  'GET /posts': true,
  'GET /posts/best': true,
  'GET /posts/discussed': true,
  'GET /posts/search': true,
  'GET /posts/{id}': true,
  'GET /posts/{id}/replies': true,
  'GET /posts/{id}/shared': true,
  'GET /posts/{id}/thread': true,
  'GET /events': true,
  'GET /reports/reasons': true,
  'GET /documents/{name}': true,
  'GET /users/{username}': true,
  'GET /claims/{code}': true,
  'GET /invitations/{code}': true,
  'GET /owner-links/{code}': true,
  'GET /mail/{id}': true,
};
const isPublicRead = (name: string): boolean => name in publicReads;

/** Public data can be read, and the session of the cookie ended, without a token when none can be obtained. */
async function tokenFor(name: keyof Calls, ask: TokenSource['current']): Promise<string | null> {
  if (!usesToken(name)) return null;
  if (isPublicRead(name) || name.endsWith('/sessions/current')) return ask().catch(() => null);
  const token = await ask();
  const { message, status } = browserErrors.UNAUTHORIZED;
  if (token === null) throw new ApiError('UNAUTHORIZED', message, status);
  return token;
}
