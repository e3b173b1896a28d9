import { ApiError } from '#client/api-error.ts';
import { createClient, usesToken } from '#client/create-client.ts';
import { type CallEndpoint, type Endpoint, isForKeepers } from '#contract/endpoint.ts';
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

/** Calls an endpoint of the contract. Throws an ApiError or, if the caller has aborted, the signal's reason. */
export const call: CallEndpoint = async (endpoint, input) => {
  const token = await tokenFor(endpoint, () => tokens.current());
  try {
    return await callWith(token)(endpoint, input);
  } catch (error) {
    if (token === null || !(error instanceof ApiError)) throw error;
    if (error.code === refusedToken(endpoint)) {
      return callWith(await tokenFor(endpoint, () => tokens.replace(token)))(endpoint, input);
    }
    if (error.code !== 'ACCOUNT_BLOCKED') throw error;
    tokens.onBlocked(error.message);
    if (endpoint.access !== 'public') throw error;
    return callWith(null)(endpoint, input);
  }
};

const callWith = (token: string | null) =>
  createClient({
    token,
    async fetch(url, init) {
      const response = await noting(fetch(url, init));
      noteServerTime(response.headers.get('date'));
      return response;
    },
  });

/** The code of a call with an expired token. The calls of the moderation desk do not say that they exist. */
const refusedToken = ({ access }: Endpoint) => (isForKeepers(access) ? 'NOT_FOUND' : 'UNAUTHORIZED');

/** Public data can be read without a token when none can be obtained. */
async function tokenFor(endpoint: Endpoint, ask: TokenSource['current']): Promise<string | null> {
  if (!usesToken(endpoint)) return null;
  if (endpoint.access === 'public') return ask().catch(() => null);
  const token = await ask();
  const { message, status } = browserErrors.UNAUTHORIZED;
  if (token === null) throw new ApiError('UNAUTHORIZED', message, status);
  return token;
}
