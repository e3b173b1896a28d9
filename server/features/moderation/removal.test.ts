import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines, freshPlace, openPlace } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, outcome, register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { openWall, type Wall, wallOver } from '../../../test/kit/wall.ts';
import type { Database } from '../../db/database.ts';
import { MissedNews } from '../../live/missed-news.ts';
import { latestPosition } from '../../live/change-log.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { recount } from '../../commands/verify-data/recount.ts';

const secret = 'то, чего не должно быть видно';

const differences = (db: Database): Promise<unknown[]> => Array.fromAsync(recount(db.read));

/** Anna's post, Boris's reply to it and Clara's reply to that. Each likes the posts of the others. */
async function conversation(wall: Wall) {
  const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
  const write = async (member: Member, path: string, text: string): Promise<string> => {
    wall.clock.now += 1;
    return (await member.send('POST', path, { text })).json().id;
  };
  const post = await write(anna, '/posts', `корень: ${secret}`);
  const reply = await write(boris, `/posts/${post}/replies`, `ответ: ${secret}`);
  const nested = await write(clara, `/posts/${reply}/replies`, 'ответ на ответ');
  await write(clara, `/posts/${post}/replies`, 'ещё ответ');
  for (const member of [anna, boris, clara]) {
    for (const id of [post, reply, nested]) await member.send('POST', `/posts/${id}/likes`);
  }
  return { anna, boris, clara, post, reply, nested };
}

/** Everything that the wall shows to anybody. */
async function sights(wall: Wall, members: Member[], ids: string[]): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const pages = ['/', ...ids.map((id) => `/posts/${id}`), ...members.map(({ username }) => `/users/${username}`)];
  for (const page of pages) {
    const { status, text } = await wall.get(page);
    // The head contains the current time.
    seen[page] = [status, text.replace(/"(madeAt|position)":[^,]+/g, '')];
  }
  const calls = ['/posts', '/posts/replies', '/posts?filter=liked', '/users/current/notifications'];
  calls.push(...ids.flatMap((id) => [`/posts/${id}`, `/posts/${id}/replies`, `/posts/${id}/thread`]));
  calls.push(...members.flatMap(({ id, username }) => [`/posts?userId=${id}`, `/users/${username}`]));
  for (const member of members) {
    for (const call of calls) seen[`${member.username} ${call}`] = (await member.send('GET', call)).body;
  }
  return seen;
}

for (const engine of engines) {
  describe(`removing a post on ${engine}`, () => {
    for (const kind of ['post', 'reply'] as const) {
      test(`a ${kind} disappears for everybody with its counts, and is restored unchanged`, async () => {
        await using wall = await openWall(engine);
        const { anna, boris, clara, ...ids } = await conversation(wall);
        const everyone = [anna, boris, clara];
        await anna.send('PUT', '/users/current/notifications/read', { up_to: ids.reply });
        const id = ids[kind];
        const other = kind === 'post' ? ids.reply : ids.post;
        // Twice: a response cached by the first request must become outdated as well.
        const look = async () => {
          await sights(wall, everyone, Object.values(ids));
          return sights(wall, everyone, Object.values(ids));
        };
        const before = await look();

        assert.equal(await removePost(wall, id), true);
        const meanwhile = await look();
        assert.deepEqual(await differences(wall.db), []);
        for (const [where, body] of Object.entries(meanwhile)) {
          const revealed = JSON.stringify(body).includes(kind === 'post' ? `корень: ${secret}` : `ответ: ${secret}`);
          assert.ok(!revealed, `${where} reveals it`);
        }
        assert.equal((await wall.get(`/posts/${id}`)).status, 404);
        assert.equal((await wall.get(`/api/v1/posts/${other}`)).status, 200);
        for (const [method, path] of [
          ['POST', `/posts/${id}/likes`],
          ['POST', `/posts/${id}/replies`],
          ['PATCH', `/posts/${id}`],
          ['POST', `/posts/${id}/reports?reason_id=spam`],
        ] as const) {
          const body = path.endsWith('replies') || method === 'PATCH' ? { text: 'я' } : undefined;
          assert.deepEqual(await outcome(anna.send(method, path, body)), [404, 'NOT_FOUND'], path);
        }
        assert.equal(await removePost(wall, id), false);

        assert.equal(await restore(wall, id), 'restored');
        assert.deepEqual(await look(), before);
        assert.deepEqual(await differences(wall.db), []);
        assert.equal(await restore(wall, id), 'not removed');
      });
    }

    test('event streams report the removal, and the restoration without a new post', async () => {
      await using wall = await openWall(engine);
      const { post, reply } = await conversation(wall);
      const missed = new MissedNews(wall.db);
      const newsSince = (position: number) => missed.since(position, () => {});
      const start = await latestPosition(wall.db.read);
      await removePost(wall, reply);
      const gone = await newsSince(start);
      assert.deepEqual(gone.deleted, [reply]);
      await restore(wall, reply);
      const back = await newsSince(gone.position);
      assert.deepEqual([back.posts, back.replies, back.deleted], [[], [], []]);
      assert.deepEqual(back.restored, [reply]);
      assert.deepEqual(back.counts, [
        { id: post, likes_count: 3, replies_count: 2, thread_count: 3 },
        { id: reply, likes_count: 3, replies_count: 1, thread_count: null },
      ]);
      assert.deepEqual((await newsSince(start)).deleted, [], 'a subscriber that missed both sees no removal');
    });

    test('replies removed, deleted or restored since are counted correctly', async () => {
      await using wall = await openWall(engine);
      const { boris, clara, post, reply } = await conversation(wall);
      await removePost(wall, post);
      await removePost(wall, reply);
      const { posts } = (await clara.send('GET', '/posts/replies')).json();
      await clara.send('DELETE', `/posts/${posts[0].id}`);
      assert.equal(await restore(wall, post), 'restored');
      assert.equal((await boris.send('GET', `/posts/${post}`)).json().actions.replies_count, 0);
      assert.equal(await restore(wall, reply), 'restored');
      assert.equal((await boris.send('GET', `/posts/${post}`)).json().actions.replies_count, 1);
      assert.deepEqual(await differences(wall.db), []);
    });

    test('only its author sees it with the reason, and may delete it for good', async () => {
      await using wall = await openWall(engine);
      const { anna, boris, post, reply } = await conversation(wall);
      const { owner: _, actions: __, ...written } = (await wall.get(`/api/v1/posts/${reply}`)).json;
      assert.equal(written.text, `ответ: ${secret}`);
      await removePost(wall, post, 'реклама');
      wall.clock.now += 1;
      await removePost(wall, reply, 'грубость');
      const listOf = async (member: Member) => (await member.send('GET', '/posts/removed')).json().posts;
      const [his] = await listOf(boris);
      assert.deepEqual(his, {
        ...written,
        replied_post_id: post,
        removed_at: wall.clock.now,
        reason: 'грубость',
        is_new: true,
      });
      assert.deepEqual(
        (await listOf(anna)).map(({ id, reason }: { id: string; reason: string }) => [id, reason]),
        [[post, 'реклама']],
      );
      assert.equal((await wall.get('/api/v1/posts/removed')).status, 401);
      assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${reply}`)), [404, 'NOT_FOUND']);
      assert.deepEqual(await outcome(boris.send('DELETE', `/posts/${reply}`)), [204]);
      assert.deepEqual(await listOf(boris), []);
      assert.equal(await restore(wall, reply), 'not removed');
    });

    test('likes of deleted accounts are not restored, nor posts of deleted authors', async () => {
      await using wall = await openWall(engine);
      const { anna, boris, clara, post, reply } = await conversation(wall);
      await removePost(wall, post);
      await removePost(wall, reply);
      wall.clock.now += 61;
      await deleteAccount(wall, boris);
      assert.equal(await restore(wall, reply), 'author gone');
      assert.equal(await restore(wall, post), 'restored');
      assert.equal((await anna.send('GET', `/posts/${post}`)).json().actions.likes_count, 2);
      await removePost(wall, post);
      await runJobs(wall.db, wall.clock.now);
      for (const table of ['removed_posts', 'removed_likes'] as const) {
        const left = await wall.db.read.selectFrom(table).select('user_id').execute();
        assert.ok(
          left.length > 0 && left.every(({ user_id: id }) => String(id) !== boris.id),
          `${table} keeps ${JSON.stringify(left)}`,
        );
      }
      assert.equal(await restore(wall, post), 'restored');
      assert.equal((await clara.send('GET', '/posts?filter=liked')).json().total, 2);
      assert.deepEqual(await differences(wall.db), []);
    });
  });
}

test('counts stay exact while two processes remove, restore, reply and delete on PostgreSQL', async (t) => {
  const fresh = await freshPlace('postgres');
  const [first, second] = [await openPlace(fresh.place), await openPlace(fresh.place)];
  const wall = await wallOver(first, { RATE_LIMITS: 'off' });
  t.after(async () => {
    await wall.close();
    await Promise.all([first.close(), second.close()]);
    await fresh.remove();
  });
  const { anna, clara, post, reply, nested } = await conversation(wall);
  const other = { ...wall, db: second };
  for (let round = 0; round < 12; round += 1) {
    const extra = (await clara.send('POST', `/posts/${post}/replies`, { text: `${round}` })).json().id;
    const removed = await Promise.all([
      removePost(wall, post),
      removePost(other, post),
      removePost(other, reply),
      removePost(wall, reply),
    ]);
    assert.equal(removed.filter(Boolean).length, 2);
    const restored = await Promise.all([
      restore(wall, post),
      restore(other, reply),
      restore(other, post),
      restore(wall, reply),
      anna.send('POST', `/posts/${nested}/likes`),
      clara.send('DELETE', `/posts/${extra}`),
    ]);
    assert.equal(restored.filter((done) => done === 'restored').length, 2);
    assert.deepEqual(await differences(first), []);
  }
});
