import assert from 'node:assert/strict';
import { serverLimits } from '#contract/limits.ts';
import { type Member, outcome, register } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';

const onWall = onWalls({ RATE_LIMITS: 'off' });

const mute = (person: Member, id: string) => person.send('PUT', `/users/current/mutes/${id}`);
const namesMutedBy = async (person: Member): Promise<string[]> =>
  (await person.send('GET', '/users/current/mutes')).json().users.map(({ username }: { username: string }) => username);

onWall('muted authors cannot be an unknown person or too many', async (wall) => {
  const anna = await register(wall);
  for (const id of ['999999', 'current', '-1']) {
    assert.deepEqual(await outcome(mute(anna, id)), [404, 'NOT_FOUND'], id);
  }
  const many = await Promise.all(Array.from({ length: serverLimits.mutes }, (_, i) => wall.person(`person_${i}`)));
  const rows = many.map((muted_id) => ({ user_id: Number(anna.id), muted_id, created_at: 1 }));
  await wall.db.tx((tx) => tx.db.insertInto('mutes').values(rows).execute());
  const response = await mute(anna, (await register(wall)).id);
  assert.equal(response.statusCode, 400);
  assert.match(response.json().message, /^Скрыто уже 1000 авторов/);
  assert.equal((await namesMutedBy(anna)).length, serverLimits.mutes);
  assert.deepEqual(await outcome(mute(anna, String(many[0]))), [204]);
});
