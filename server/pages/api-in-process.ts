import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import { type CurrentUser, getCurrentUser } from '#contract/account.ts';
import { apiPrefix, type Endpoint } from '#contract/endpoint.ts';
import { renewToken } from '#contract/sessions.ts';

/** A signed-in person's access to the API in this process. */
export interface Person {
  user: CurrentUser;
  authorization: string;
}

/** Sends a request to the API in this process for the client of another request, with all checks and limits. */
export function inject(app: FastifyInstance, { socket, headers }: FastifyRequest, options: InjectOptions) {
  const { host, cookie, 'user-agent': agent, 'x-forwarded-for': forwarded } = headers;
  const own = { host, cookie, 'user-agent': agent, 'x-forwarded-for': forwarded, 'sec-fetch-site': 'same-origin' };
  const given = Object.entries({ ...own, ...options.headers }).filter(([, value]) => value !== undefined);
  return app.inject({
    ...options,
    remoteAddress: socket.remoteAddress ?? '',
    headers: Object.fromEntries(given),
  });
}

export const requestFor = ({ method, path }: Endpoint): InjectOptions => ({ method, url: apiPrefix + path });

/** Who has the session of the cookie; undefined for a visitor, also when the account is blocked. */
export async function findPerson(
  app: FastifyInstance,
  request: FastifyRequest,
  clientToken: string,
): Promise<Person | undefined> {
  const renewed = await inject(app, request, { ...requestFor(renewToken), payload: { clientToken } });
  if (renewed.statusCode !== 200) return undefined;
  const authorization = `Bearer ${renewed.json<{ accessToken: { token: string } }>().accessToken.token}`;
  const found = await inject(app, request, { ...requestFor(getCurrentUser), headers: { authorization } });
  return found.statusCode === 200 ? { user: found.json<CurrentUser>(), authorization } : undefined;
}

/** `fetch` for the calls of the API, without the network. `onCookies` gets the cookies that they set. */
export function fetchInProcess(
  app: FastifyInstance,
  request: FastifyRequest,
  person: Person | undefined,
  onCookies: (lines: string[]) => void,
): typeof fetch {
  return async (url, { method, headers, body } = {}) => {
    const response = await inject(app, request, {
      method: method as 'GET',
      url: url as string,
      headers: { ...(headers as Record<string, string>), ...(person && { authorization: person.authorization }) },
      ...(typeof body === 'string' && { payload: body }),
    });
    onCookies([response.headers['set-cookie'] ?? []].flat());
    const { statusCode: status, payload } = response;
    const retryAfter = response.headers['retry-after'];
    return new Response(status === 204 ? null : payload, {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });
  };
}
