import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ThreadNode } from '#contract/posts.ts';
import { engines, freshPlace, openPlace } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { openWall, type Wall, wallOver } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { restoreRemoved } from '../moderation/removal.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';

const write = async (member: Member, path: string, text: string): Promise<string> =>
  (await member.send('POST', path, { text })).json().id;

const replyTo = (member: Member, id: string, text: string): Promise<string> =>
  write(member, `/posts/${id}/replies`, text);

const differences = (wall: Pick<Wall, 'db'>): Promise<unknown[]> => Array.fromAsync(recount(wall.db.read));

const textsOf = (nodes: readonly ThreadNode[]): string =>
  nodes
    .map(
      ({ post, replies }) =>
        `${post?.text ?? '—'}:${post?.owner.username}:${post?.actions.likes_count}(${textsOf(replies)})`,
    )
    .join(' ');

for (const engine of engines) {
  describe(`writing in a thread on ${engine}`, () => {
    test('is seen at once by everybody who has read it before', async (t) => {
      const wall = await openWall(engine, { RATE_LIMITS: 'off' });
      t.after(wall.close);
      const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
      const root = await write(anna, '/posts', 'корень');
      const reply = await replyTo(boris, root, 'ответ');
      const nested = await replyTo(clara, reply, 'ниже');
      const deep = await replyTo(anna, nested, 'глубоко');

      /** Twice, so that a cached response is compared: with what a new application reads, which has none. */
      const paths = [root, reply, deep].map((id) => `/api/v1/posts/${id}/thread`);
      paths.push('/api/v1/posts', `/api/v1/posts/${root}`, `/api/v1/posts?userId=${anna.id}`);
      const look = async (): Promise<string> => {
        const seen: string[] = [];
        for (const path of [...paths, ...paths, ...paths]) seen.push((await wall.get(path)).text);
        const [first, second, third] = [0, 1, 2].map((i) => seen.slice(i * paths.length, (i + 1) * paths.length));
        assert.deepEqual(second, first);
        assert.deepEqual(third, first);
        return first!.join('\n');
      };
      const thread = async () => (await wall.get(`/api/v1/posts/${root}/thread`)).json;

      let before = await look();
      const isSeen = async (what: string): Promise<void> => {
        const after = await look();
        assert.notEqual(after, before, what);
        before = after;
        assert.deepEqual(await differences(wall), [], what);
      };
      const late = await replyTo(clara, deep, 'новый');
      await isSeen('a new reply');
      assert.equal((await thread()).post.actions.thread_count, 4);
      assert.equal((await wall.get('/api/v1/posts')).json.posts[0].actions.thread_count, 4);
      await clara.send('PATCH', `/posts/${late}`, { text: 'изменён' });
      await isSeen('an edit');
      await boris.send('POST', `/posts/${nested}/likes`);
      await isSeen('a like');
      await boris.send('DELETE', `/posts/${nested}/likes`);
      await isSeen('the end of a like');
      await boris.send('PATCH', '/users/current/profile', { username: 'boris_novyi' });
      await isSeen('a new name');
      await removePost(wall, nested);
      await isSeen('a removal');
      assert.match(textsOf((await thread()).replies), /^ответ:boris_novyi:0\(—:undefined:undefined\(глубоко/);
      await restore(wall, nested);
      await isSeen('a restoration');
      await removePost(wall, root);
      assert.equal((await wall.get(`/api/v1/posts/${root}/thread`)).status, 404);
      await isSeen('the removal of the root');
      await clara.send('DELETE', `/posts/${late}`);
      await isSeen('a deletion below a removed root');
      await restore(wall, root);
      await isSeen('the restoration of the root');
      assert.equal((await thread()).post.actions.thread_count, 3);
      await boris.send('DELETE', `/posts/${reply}`);
      await isSeen('a deletion');
      wall.clock.now += 61;
      await deleteAccount(wall, clara);
      await isSeen('the deletion of an account');
      await runJobs(wall.db, wall.clock.now);
      await isSeen('the clearing of an account');
      assert.equal((await thread()).post.actions.thread_count, 1);
    });

    test('counts exactly under concurrent replies, deletions, removals and restorations', async (t) => {
      const wall = await openWall(engine, { RATE_LIMITS: 'off' });
      t.after(wall.close);
      const people = [await wall.person('anna_k'), await wall.person('boris_k'), await wall.person('clara_k')];
      const root = await wall.post(people[0]!, 'корень');
      const branches = await Promise.all(people.map((person) => wall.reply(person, root, 'ветвь')));
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, i) => wall.reply(people[i % 3]!, branches[i % 3]!, `${i}`)),
      );
      assert.equal((await wall.get(`/api/v1/posts/${root}`)).json.actions.thread_count, 63);
      const [first, second, third] = branches.map(String) as [string, string, string];
      await Promise.all([
        ...replies.slice(0, 30).map((id) => wall.remove(id)),
        removePost(wall, first),
        wall.remove(Number(second)),
        ...replies.slice(50).map((id) => removePost(wall, String(id))),
        ...Array.from({ length: 9 }, (_, i) => wall.reply(people[i % 3]!, Number(third), `ещё ${i}`)),
      ]);
      assert.deepEqual(await differences(wall), []);
      await Promise.all([
        ...replies.slice(50).map((id) => restore(wall, String(id))),
        restore(wall, first),
        ...replies.slice(30, 50).map((id) => wall.remove(id)),
      ]);
      assert.deepEqual(await differences(wall), []);
      // Three branches of which one is deleted, ten restored and nine new replies.
      assert.equal((await wall.get(`/api/v1/posts/${root}`)).json.actions.thread_count, 2 + 10 + 9);
    });

    test('is checked by a recount', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await wall.person('anna_k');
      const root = await wall.post(anna, 'корень');
      const gone = await wall.reply(anna, root, 'исчезнет');
      const reply = await wall.reply(anna, gone, 'останется');
      const lone = await wall.reply(anna, root, 'без ответов');
      await wall.remove(gone);
      assert.deepEqual(await differences(wall), []);
      await wall.db.tx(async ({ db }) => {
        await db.updateTable('posts').set({ thread_count: 7, gaps_count: 4 }).where('id', '=', root).execute();
        await db.updateTable('posts').set({ depth: 9 }).where('id', '=', lone).execute();
        await db.updateTable('thread_gaps').set({ id: 999, replies_count: 0 }).execute();
      });
      const found = (await differences(wall)) as Array<{ what: string; id: number; stored: number; counted: number }>;
      assert.deepEqual(
        found.map(({ what, id, stored, counted }) => [what, id, stored, counted]),
        [
          ['posts.thread_count', root, 7, 2],
          ['posts.gaps_count', root, 4, 1],
          ['thread_gaps that are posts, or have no replies and no job to close them', 999, 1, 0],
          ['depth', reply, 2, -1],
          ['depth', lone, 9, 1],
          ['parent_post_id', reply, root, -1],
        ],
      );
    });
  });
}

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
  await sleep(200);
  finish.resolve();
  await Promise.all([restoration, deletion]);
  assert.deepEqual(await differences(wall), []);
  const { replies, post } = (await wall.get(`/api/v1/posts/${root}/thread`)).json;
  assert.deepEqual([replies[0].post.actions.replies_count, post.actions.thread_count], [1, 2]);
});

test('two processes on PostgreSQL keep one thread', async (t) => {
  const { place, remove } = await freshPlace('postgres');
  const databases = [await openPlace(place), await openPlace(place)] as const;
  const walls = [await wallOver(databases[0]), await wallOver(databases[1])] as const;
  t.after(async () => {
    for (const wall of walls) await wall.close();
    for (const db of databases) await db.close();
    await remove();
  });
  const anna = await walls[0].person('anna_k');
  for (let round = 0; round < 6; round += 1) {
    const root = await walls[0].post(anna, 'корень');
    const middle = await walls[0].reply(anna, root, 'середина');
    const replies = await Promise.all([0, 1, 2, 3].map((i) => walls[i % 2]!.reply(anna, middle, `${i}`)));
    await Promise.all([
      removePost(walls[0], String(middle)),
      ...replies.map((id, i) => (i < 2 ? walls[i]!.remove(id) : removePost(walls[i % 2]!, String(id)))),
    ]);
    await Promise.all([
      restore(walls[1], String(middle)),
      ...replies.slice(2).map((id, i) => restore(walls[i]!, String(id))),
    ]);
    assert.deepEqual(await differences(walls[0]), []);
    for (const wall of walls) {
      const { json } = await wall.get(`/api/v1/posts/${root}/thread`);
      assert.deepEqual([json.post.actions.thread_count, json.replies[0].replies.length], [3, 2]);
    }
  }
});
