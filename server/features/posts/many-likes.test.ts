import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, openFresh, openPlace } from '../../../test/kit/engines.ts';
import { register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { openWall, type Wall, wallOver } from '../../../test/kit/wall.ts';
import type { Database } from '../../db/database.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { recount } from '../../commands/verify-data/recount.ts';

/** More than one batch. */
const many = 250;

const differences = (db: Database): Promise<unknown[]> => Array.fromAsync(recount(db.read));

/** A post that many people like. */
async function likedByMany({ db, clock: { now } }: Pick<Wall, 'db' | 'clock'>, post: number): Promise<void> {
  const people = Array.from({ length: many }, (_, i) => `liker_${i}`);
  const rows = people.map((name) => ({ username: name, username_key: name, email: `${name}@example.org` }));
  await db.tx(async ({ db: tx }) => {
    const likers = await tx
      .insertInto('users')
      .values(rows.map((row) => ({ ...row, created_at: now, likes_count: 1 })))
      .returning('id')
      .execute();
    const likes = likers.map(({ id }) => ({ post_id: post, user_id: id, created_at: now }));
    await tx.insertInto('likes').values(likes).execute();
    await tx
      .updateTable('posts')
      .set((eb) => ({ likes_count: eb('likes_count', '+', many) }))
      .where('id', '=', post)
      .execute();
  });
}

async function countLikes({ read }: Database, table: 'likes' | 'removed_likes'): Promise<number> {
  return (await read.selectFrom(table).select('id').execute()).length;
}

async function sumOfTotals({ read }: Database): Promise<number> {
  const users = await read.selectFrom('users').select('likes_count').execute();
  return users.reduce((sum, { likes_count: n }) => sum + n, 0);
}

for (const engine of engines) {
  test(`a post with many likes is deleted at once, its likes in batches, also by another process, on ${engine}`, async (t) => {
    const fresh = await openFresh(engine);
    const wall = await wallOver(fresh.db, { RATE_LIMITS: 'off' });
    t.after(fresh.close);
    const anna = await register(wall);
    const { id } = (await anna.send('POST', '/posts', { text: 'всем нравится' })).json();
    await likedByMany(wall, Number(id));
    await anna.send('POST', `/posts/${id}/likes`);
    assert.deepEqual(await differences(wall.db), []);

    assert.equal((await anna.send('DELETE', `/posts/${id}`)).statusCode, 204);
    assert.equal((await wall.get(`/api/v1/posts/${id}`)).status, 404);
    assert.equal((await anna.send('POST', `/posts/${id}/likes`)).statusCode, 404);
    assert.deepEqual((await wall.get('/api/v1/posts')).json.posts, []);
    assert.deepEqual((await anna.send('GET', '/posts?filter=liked')).json().posts, []);
    const left = await countLikes(wall.db, 'likes');
    assert.ok(left > 0 && left < many, `${left} likes are left after the deletion`);
    assert.deepEqual(await differences(wall.db), []);
    await wall.close();

    const next = await openPlace(fresh.place);
    await runJobs(next, wall.clock.now);
    assert.deepEqual([await countLikes(next, 'likes'), await sumOfTotals(next)], [0, 0]);
    assert.deepEqual(await differences(next), []);
    await next.close();
  });

  test(`likes follow a post that is removed and restored at any time, on ${engine}`, async (t) => {
    const wall = await openWall(engine, { RATE_LIMITS: 'off' });
    t.after(wall.close);
    const anna = await register(wall);
    const { id } = (await anna.send('POST', '/posts', { text: 'всем нравится' })).json();
    await likedByMany(wall, Number(id));
    // The last liker, whose like is moved last.
    const boris = await register(wall);
    await boris.send('POST', `/posts/${id}/likes`);
    const likesShown = async () => (await wall.get(`/api/v1/posts/${id}`)).json.actions.likes_count;
    const check = async () => assert.deepEqual(await differences(wall.db), []);

    await removePost(wall, id);
    await check();
    await restore(wall, id);
    await check();
    await runJobs(wall.db, wall.clock.now);
    assert.equal(await likesShown(), many + 1, 'restored while its likes were not all moved yet');

    await removePost(wall, id);
    await runJobs(wall.db, wall.clock.now);
    assert.deepEqual([await countLikes(wall.db, 'likes'), await countLikes(wall.db, 'removed_likes')], [0, many + 1]);
    assert.equal(await sumOfTotals(wall.db), 0);
    await restore(wall, id);
    await check();
    assert.ok((await likesShown()) < many);
    await boris.send('POST', `/posts/${id}/likes`);
    await runJobs(wall.db, wall.clock.now);
    assert.equal(await likesShown(), many + 1, 'liked again before the first like was moved');
    await check();

    await removePost(wall, id);
    assert.equal((await anna.send('DELETE', `/posts/${id}`)).statusCode, 204);
    await check();
    await runJobs(wall.db, wall.clock.now);
    assert.deepEqual([await countLikes(wall.db, 'likes'), await countLikes(wall.db, 'removed_likes')], [0, 0]);
    assert.equal(await sumOfTotals(wall.db), 0);
    await check();
  });
}
