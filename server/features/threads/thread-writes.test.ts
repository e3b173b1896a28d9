import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerModerator } from '../../../test/kit/desk.ts';
import { engines, freshStorage, openStorage } from '../../../test/kit/engines.ts';
import { deleteAccount, publish, register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { untilLockWaits } from '../../../test/kit/polling.ts';
import { openWall, type Wall, wallOver } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { restoreRemoved } from '../moderation/removal.ts';

const differences = (wall: Pick<Wall, 'db'>): Promise<unknown[]> => Array.fromAsync(recount(wall.db.read));

onWalls({ RATE_LIMITS: 'off' })('what is written is seen at once by everybody who has read before', async (wall) => {
  const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
  const root = await publish(anna, 'корень');
  const reply = await publish(boris, 'ответ', `/posts/${root.id}/replies`);
  const nested = await publish(clara, 'ниже', `/posts/${reply.id}/replies`);
  const deep = await publish(anna, 'глубоко', `/posts/${nested.id}/replies`);
  await publish(boris, 'новее');
  const cursor = `c${(Number(deep.id) + 1).toString(36)}`;
  const paths = ['', '/discussed?aside=true', `?before=${cursor}`, `?cursor=${cursor}`, `?at=${root.id}`];
  for (const { id } of [anna, boris, clara]) {
    for (const query of ['', '&filter=replies', `&before=${cursor}`, `&filter=replies&before=${cursor}`]) {
      paths.push(`?userId=${id}${query}`);
    }
  }
  for (const { id } of [root, reply, deep]) {
    for (const part of ['', '/thread', '/replies', `/replies?before=${cursor}`]) paths.push(`/${id}${part}`);
  }
  const look = async (at: Wall): Promise<string> => {
    const seen = await Promise.all(paths.map(async (path) => (await at.get(`/api/v1/posts${path}`)).text));
    return seen.map((text, i) => `${paths[i]} ${text}`).join('\n');
  };
  const removed = { reason: 'Ошибка' };
  const moderator = await registerModerator(wall);
  const acts: Array<[what: string, act: () => Promise<unknown>]> = [
    ['a new post', () => publish(clara, 'новая')],
    ['a new reply', () => publish(clara, 'новый ответ', `/posts/${deep.id}/replies`)],
    ['an edit', () => boris.send('PATCH', `/posts/${reply.id}`, { text: 'изменён' })],
    ['a like', () => boris.send('POST', `/posts/${nested.id}/likes`)],
    ['the end of a like', () => boris.send('DELETE', `/posts/${nested.id}/likes`)],
    ['a new name', () => boris.send('PATCH', '/users/current/profile', { username: 'boris_novyi' })],
    ['a removal', () => moderator.send('POST', `/moderation/posts/${nested.id}/removal`, removed)],
    ['a restoration', () => moderator.send('POST', `/moderation/posts/${nested.id}/restoration`, removed)],
    ['the removal of the root', () => moderator.send('POST', `/moderation/posts/${root.id}/removal`, removed)],
    ['its restoration', () => moderator.send('POST', `/moderation/posts/${root.id}/restoration`, removed)],
    ['a deletion', () => boris.send('DELETE', `/posts/${reply.id}`)],
    ['the end of an account', () => deleteAccount(wall, clara)],
    ['what its job has cleared', () => runJobs(wall.db, wall.clock.now)],
  ];
  wall.clock.now += 61;
  for (const [what, act] of acts) {
    // The response is cached from the second request on.
    const before = [await look(wall), await look(wall), await look(wall)].at(-1);
    await act();
    const after = await look(wall);
    if (act !== acts.at(-1)![1]) assert.notEqual(after, before, what);
    await using fresh = await wallOver(wall.db);
    assert.equal(after, await look(fresh), what);
    assert.deepEqual(await differences(wall), [], what);
  }
});

onWalls()('wrong counts are found by a recount', async (wall) => {
  const anna = await wall.person('anna_k');
  const root = await wall.post(anna, 'корень');
  const gone = await wall.reply(anna, root, 'исчезнет');
  await wall.reply(anna, gone, 'останется');
  const lone = await wall.reply(anna, root, 'без ответов');
  await wall.remove(gone);
  assert.deepEqual(await differences(wall), []);
  await wall.db.tx(async ({ db }) => {
    await db.updateTable('all_posts').set({ thread_count: 7, gaps_count: 4 }).where('id', '=', root).execute();
    await db.updateTable('all_posts').set({ depth: 9, likes_count: 7 }).where('id', '=', lone).execute();
    await db.updateTable('all_posts').set({ text: 'осталось', is_place: 0 }).where('id', '=', gone).execute();
    await db.updateTable('users').set({ posts_count: 2 }).execute();
    await db.updateTable('feed_counts').set({ n: 5 }).where('span', '=', 20).execute();
  });
  const found = (await differences(wall)) as Array<{ what: string; id: number; stored: number; counted: number }>;
  assert.deepEqual(
    found.map(({ what, id, stored, counted }) => `${what} of ${id}: ${stored}, counted ${counted}`).toSorted(),
    [
      `depth of ${lone}: 9, counted 1`,
      'feed_counts по миллионам of 0: 5, counted 1',
      `all_posts.gaps_count of ${root}: 4, counted 0`,
      `all_posts.hidden_count of ${root}: 0, counted 1`,
      `all_posts.is_place: закрыть место некому of ${gone}: 0, counted 1`,
      `all_posts.likes_count of ${lone}: 7, counted 0`,
      `all_posts.thread_count of ${root}: 7, counted 2`,
      `all_posts: записи нет, а текст, автор или строка остались of ${gone}: 1, counted 0`,
      `users.posts_count of ${anna}: 2, counted 1`,
    ].toSorted(),
  );
});

test('a deletion that waits for the restoration of the replied post is counted there, on PostgreSQL', async (t) => {
  const wall = await openWall('postgres');
  t.after(wall.close);
  const anna = await wall.person('anna_k');
  const root = await wall.post(anna, 'корень');
  const middle = await wall.reply(anna, root, 'середина');
  const [first] = [await wall.reply(anna, middle, 'первый'), await wall.reply(anna, middle, 'второй')];
  await removePost(wall, String(middle));
  const restored = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const restoration = wall.db.tx(async (tx) => {
    await restoreRemoved(tx, middle, wall.clock.now);
    restored.resolve();
    await finish.promise;
  });
  await restored.promise;
  const deletion = wall.remove(first);
  await untilLockWaits(wall.db);
  finish.resolve();
  await Promise.all([restoration, deletion]);
  assert.deepEqual(await differences(wall), []);
  const { replies, post } = (await wall.get(`/api/v1/posts/${root}/thread`)).json;
  assert.deepEqual([replies[0].post.actions.replies_count, post.actions.thread_count], [1, 2]);
});

for (const engine of engines) {
  test(`two processes that write at once keep one thread, on ${engine}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { storage } = stack.use(await freshStorage(engine));
    const walls: Wall[] = [];
    for (const _ of [1, 2]) {
      const db = await openStorage(storage);
      stack.defer(() => db.close());
      walls.push(stack.use(await wallOver(db)));
    }
    const [here, there] = walls as [Wall, Wall];
    const people = [await here.person('anna_k'), await here.person('boris_k')] as const;
    for (let round = 0; round < 6; round += 1) {
      const root = await here.post(people[0], 'корень');
      const middle = await here.reply(people[1], root, 'середина');
      const replies = await Promise.all([0, 1, 2, 3].map((i) => walls[i % 2]!.reply(people[0], middle, `${i}`)));
      await Promise.all([
        removePost(here, String(middle)),
        ...replies.map((id, i) => (i < 2 ? walls[i]!.remove(id) : removePost(walls[i % 2]!, String(id)))),
        ...walls.map((wall, i) => wall.reply(people[i]!, root, 'ещё')),
      ]);
      assert.deepEqual(await differences(here), []);
      await Promise.all([
        restore(there, String(middle)),
        ...replies.slice(2).map((id, i) => restore(walls[i]!, String(id))),
        ...walls.map((wall, i) => wall.reply(people[i]!, root, 'и ещё')),
      ]);
      assert.deepEqual(await differences(here), []);
      for (const wall of walls) {
        const { json } = await wall.get(`/api/v1/posts/${root}/thread`);
        assert.deepEqual([json.post.actions.thread_count, json.replies.at(-1).replies.length], [7, 2]);
      }
    }
  });
}
