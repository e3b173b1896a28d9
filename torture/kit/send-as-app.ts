import type { LightMyRequestResponse } from 'fastify';
import type { Member } from '../../test/member.ts';

/** Sends as the web app does: a token that is refused is renewed, and the request sent once more. */
export async function sendAsApp(
  member: Member,
  ...request: Parameters<Member['send']>
): Promise<LightMyRequestResponse> {
  const response = await member.send(...request);
  return response.statusCode === 401 && (await renew(member)) === 200 ? member.send(...request) : response;
}

/** Resolves to the status. */
export async function renew(member: Member): Promise<number> {
  const response = await member.send('PATCH', '/sessions/current', { clientToken: member.clientToken });
  if (response.statusCode === 200) member.token = response.json().accessToken.token;
  return response.statusCode;
}
