import assert from 'node:assert/strict';
import { type Member, register } from './member.ts';
import type { AppWithMail } from './sign-in.ts';
import type { Wall } from './wall.ts';

type DeskWall = AppWithMail & Pick<Wall, 'db'>;

/** Gives a role like the operator's command, but without an entry in the journal. */
export async function appoint(
  { db }: Pick<Wall, 'db'>,
  { id }: Pick<Member, 'id'>,
  role: 'moderator' | 'owner' = 'moderator',
): Promise<void> {
  await db.tx((tx) => tx.db.updateTable('users').set({ role }).where('id', '=', Number(id)).execute());
}

export async function registerModerator(wall: DeskWall, role?: 'moderator' | 'owner'): Promise<Member> {
  const member = await register(wall);
  await appoint(wall, member, role);
  return member;
}

/** Confirms the session of a moderator with a mailed code. */
export async function confirm(wall: DeskWall, moderator: Member): Promise<number> {
  const { clientToken } = moderator;
  const started = await moderator.send('POST', '/moderation/confirmation', { clientToken });
  assert.equal(started.statusCode, 201, started.body);
  const confirmCode = await wall.mail.codeTo(moderator.email);
  const path = `/moderation/confirmation/${started.json().id}/verify`;
  const verified = await moderator.send('POST', path, { confirmCode, clientToken });
  assert.equal(verified.statusCode, 200, verified.body);
  return verified.json().confirmed_until;
}

interface JournalLine {
  id: string;
  by: string;
  by_id: string | null;
  action: string;
  target: string | null;
  reason: string;
  details: Record<string, unknown> | null;
  undo: boolean;
  post: { text: string; is_removed: boolean } | null;
}

/** The journal as a moderator reads it, the oldest entry first. */
export async function journal(moderator: Member): Promise<JournalLine[]> {
  const response = await moderator.send('GET', '/moderation/journal?limit=50');
  assert.equal(response.statusCode, 200, response.body);
  return response.json().acts.toReversed();
}

/** The acts in the journal, oldest first. A plus marks acts that can be undone. */
export const actions = async (moderator: Member): Promise<string[]> =>
  (await journal(moderator)).map(({ action, undo }) => (undo ? `${action} +` : action));
