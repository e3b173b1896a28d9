import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import type { NewApiToken } from '#contract/api-tokens.ts';
import type { Member } from './member.ts';
import type { AppWithMail } from './sign-in.ts';

interface Wanted {
  name?: string;
  scope?: 'read' | 'write' | 'feed';
}

export const startToken = (member: Member): Promise<LightMyRequestResponse> =>
  member.send('POST', '/users/current/tokens', { clientToken: member.clientToken });

export function verifyToken(
  member: Member,
  id: string,
  confirmCode: string,
  { name = 'бот', scope = 'read' }: Wanted = {},
): Promise<LightMyRequestResponse> {
  const { clientToken } = member;
  return member.send('POST', `/users/current/tokens/${id}/verify`, { confirmCode, clientToken, name, scope });
}

/** Makes an API token: requests the code, reads it from the mail, and verifies it. */
export async function makeToken(wall: AppWithMail, member: Member, wanted: Wanted = {}): Promise<NewApiToken> {
  const started = await startToken(member);
  assert.equal(started.statusCode, 201, started.body);
  const { id } = started.json();
  const made = await verifyToken(member, id, await wall.mail.codeTo(member.email), wanted);
  assert.equal(made.statusCode, 201, made.body);
  return made.json();
}

/** A program that calls with a token: without cookies and without the headers of browsers. */
export function programWith(wall: Pick<AppWithMail, 'app'>, token: string) {
  return (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<LightMyRequestResponse> =>
    wall.app.inject({
      method,
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { payload: body }),
    });
}
