import assert from 'node:assert/strict';
import { registerModerator } from './desk.ts';
import type { Engine } from './engines.ts';
import type { Member } from './member.ts';
import { SECRET } from './server-process.ts';
import { openWall } from './wall.ts';

export const settings = { RATE_LIMITS: 'off', SECRET };
export const author = 'marfa_ivanova';

/** Sets who may read the wall: its members, unless `readers` says otherwise. */
export const close = (owner: Member, readers = 'members') =>
  owner.send('PUT', '/keep/settings', { readers }).then(({ statusCode }) => assert.equal(statusCode, 200));

/** A wall with a post, a reply and a person who has a name. */
export async function writtenWall(engine: Engine) {
  const wall = await openWall(engine, settings);
  const owner = await registerModerator(wall, 'owner');
  const id = await wall.person(author);
  await wall.db.tx(({ db }) => db.updateTable('users').set({ display_name: 'Марфа' }).where('id', '=', id).execute());
  const post = await wall.post(id, 'Клубника поспела');
  await wall.reply(id, post, 'Смородина тоже');
  return { wall, owner, post };
}
