import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Post } from '#contract/posts.ts';
import { conversation, differences, secret, undo } from '../../../test/kit/conversation.ts';
import { engines } from '../../../test/kit/engines.ts';
import { untilPositioned } from '../../../test/kit/live-wall.ts';
import { type Member, outcome, register, renew } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { listReportedPosts } from '../reports/reported-posts.ts';
import { settleReports } from '../reports/store.ts';

/** Everything about these posts that the people can see. */
async function seenBy(people: readonly Member[], posts: readonly Post[]): Promise<string[]> {
  const calls = ['/posts', '/posts/replies', '/posts?filter=liked', '/users/current/notifications', '/posts/removed'];
  calls.push(...posts.flatMap(({ id }) => [`/posts/${id}`, `/posts/${id}/replies`, `/posts/${id}/thread`]));
  calls.push(...people.flatMap(({ id, username }) => [`/posts?userId=${id}`, `/users/${username}`]));
  const seen: string[] = [];
  for (const member of people) {
    for (const call of calls) seen.push(`${member.username} ${call}: ${(await member.send('GET', call)).body}`);
  }
  return seen;
}

for (const engine of engines) {
  describe(`taking back a deletion on ${engine}`, () => {
    for (const kind of ['post', 'reply'] as const) {
      test(`a deleted ${kind} is gone for everybody, and returns unchanged`, async () => {
        const { wall, people, ...all } = await conversation(engine);
        await using _ = wall;
        const { id } = all[kind];
        const author = kind === 'post' ? all.anna : all.boris;
        await all.anna.send('PUT', '/users/current/notifications/read', { up_to: all.reply.id });
        const look = () => seenBy(people, [all.post, all.reply, all.nested]);
        const before = await look();
        assert.deepEqual(await outcome(author.send('DELETE', `/posts/${id}`)), [204]);
        for (const line of await look()) {
          if (line.startsWith(`${author.username} /posts/removed`)) continue;
          assert.ok(!line.includes(kind === 'post' ? `корень: ${secret}` : `ответ: ${secret}`), line);
        }
        assert.deepEqual(await differences(wall), []);
        for (const [method, path] of [
          ['POST', 'likes'],
          ['POST', 'replies'],
          ['POST', 'reports?reason_id=spam'],
          ['DELETE', 'likes'],
        ] as const) {
          const body = path === 'replies' ? { text: 'я' } : undefined;
          assert.deepEqual(await outcome(all.clara.send(method, `/posts/${id}/${path}`, body)), [404, 'NOT_FOUND']);
        }
        const restored = await undo(author, id);
        assert.equal(restored.statusCode, 200, restored.body);
        assert.deepEqual(restored.json(), (await author.send('GET', `/posts/${id}`)).json());
        assert.deepEqual(await look(), before);
        assert.deepEqual(await differences(wall), []);
        assert.deepEqual(await outcome(undo(author, id)), [404, 'NOT_FOUND'], 'it is restored already');
      });
    }

    test('only its author can take it back, for five minutes', async () => {
      const { wall, anna, boris, post } = await conversation(engine);
      await using _ = wall;
      assert.deepEqual(await outcome(undo(anna, post.id)), [404, 'NOT_FOUND'], 'it was not deleted');
      await anna.send('DELETE', `/posts/${post.id}`);
      assert.deepEqual(await outcome(undo(boris, post.id)), [404, 'NOT_FOUND']);
      assert.equal(
        (await wall.app.inject({ method: 'POST', url: `/api/v1/posts/${post.id}/restoration` })).statusCode,
        401,
      );
      wall.clock.now += 300;
      assert.deepEqual(await outcome(undo(anna, post.id)), [200], 'the last second');
      await anna.send('DELETE', `/posts/${post.id}`);
      wall.clock.now += 301;
      await renew(anna);
      assert.deepEqual(await outcome(undo(anna, post.id)), [404, 'NOT_FOUND'], 'also before the job has run');
    });

    test('lists for the author alone what can still be restored', async () => {
      const { wall, anna, boris, post, nested, clara } = await conversation(engine);
      await using _ = wall;
      const listed = async (member: Member) => (await member.send('GET', '/posts/removed')).json().deleted;
      const until = wall.clock.now + 300;
      await anna.send('DELETE', `/posts/${post.id}`);
      await clara.send('DELETE', `/posts/${nested.id}`);
      const { id, text, created_at, is_modified } = post;
      const deleted = { id, text, created_at, is_modified, replied_post_id: null, restorable_until: until };
      assert.deepEqual(await listed(anna), [deleted]);
      assert.deepEqual(await listed(boris), []);
      assert.equal((await listed(clara))[0].replied_post_id, nested.actions.replied_post_id);
      await undo(clara, nested.id);
      assert.deepEqual(await listed(clara), []);
      wall.clock.now += 301;
      await renew(anna);
      assert.deepEqual(await listed(anna), [], 'also before the job has run');
    });

    test('takes back no removal by an operator, and an operator restores no deleted post', async () => {
      const { wall, anna, post } = await conversation(engine);
      await using _ = wall;
      await removePost(wall, post.id, 'реклама');
      assert.deepEqual(await outcome(undo(anna, post.id)), [404, 'NOT_FOUND']);
      assert.equal((await anna.send('GET', '/posts/removed')).json().posts.length, 1);
      await restore(wall, post.id);
      await anna.send('DELETE', `/posts/${post.id}`);
      assert.equal(await restore(wall, post.id), 'not removed');
      assert.equal(await removePost(wall, post.id), false);
      assert.deepEqual((await anna.send('GET', '/posts/removed')).json().posts, []);
      assert.deepEqual((await anna.send('GET', '/users/current/export')).json().removed, []);
      await undo(anna, post.id);
      await removePost(wall, post.id);
      assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${post.id}`)), [204], 'deleted for good');
      assert.deepEqual(await outcome(undo(anna, post.id)), [404, 'NOT_FOUND']);
    });

    test('reports that were closed while the post was gone are open again', async () => {
      const { wall, anna, boris, clara, post } = await conversation(engine);
      await using _ = wall;
      await boris.send('POST', `/posts/${post.id}/reports?reason_id=spam`);
      await wall.db.tx((tx) => settleReports(tx, Number(post.id), wall.clock.now));
      wall.clock.now += 1;
      await clara.send('POST', `/posts/${post.id}/reports?reason_id=abuse`);
      const reported = async () => {
        const [first] = await listReportedPosts(wall.db.read, { state: 'all', limit: 1 });
        return [first!.post.state, first!.post.open, first!.all];
      };
      assert.deepEqual(await reported(), ['visible', 1, 2]);
      wall.clock.now += 1;
      await anna.send('DELETE', `/posts/${post.id}`);
      assert.deepEqual(await reported(), ['deleted', 1, 2]);
      await wall.db.tx((tx) => settleReports(tx, Number(post.id), wall.clock.now));
      await undo(anna, post.id);
      assert.deepEqual(await reported(), ['visible', 1, 2], 'the one that was settled before stays settled');
    });

    test('a key that wrote a deleted post answers with it again once it is restored', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const write = () => anna.send('POST', '/posts', { text: 'однажды' }, { 'idempotency-key': 'k' });
      const { id } = (await write()).json();
      await anna.send('DELETE', `/posts/${id}`);
      assert.equal((await write()).statusCode, 404);
      await undo(anna, id);
      assert.equal((await write()).json().id, id);
      assert.equal((await anna.send('GET', '/posts')).json().total, 1);
    });

    test('event streams report a restored post, and not as a new one', async () => {
      const { wall, boris, post, reply } = await conversation(engine);
      await using _ = wall;
      const eventsOf = async (query: string) => {
        // A change may get its position a moment after the write.
        await untilPositioned(wall);
        return (await wall.get(`/api/v1/events${query}`)).json;
      };
      const changes = (after: string) => eventsOf(`?posts=${post.id}&after=${after}`);
      const { position } = await eventsOf('');
      await boris.send('DELETE', `/posts/${reply.id}`);
      const gone = await changes(position);
      assert.deepEqual([gone.deleted, gone.restored], [[reply.id], undefined]);
      await undo(boris, reply.id);
      const back = await changes(gone.position);
      assert.deepEqual([back.deleted, back.restored, back.posts, back.replies], [[], [reply.id], [], []]);
      assert.deepEqual(
        back.counts.map(({ id, likes_count: likes, replies_count: replies }: Record<string, unknown>) => [
          id,
          likes,
          replies,
        ]),
        [
          [post.id, 3, 1],
          [reply.id, 3, 1],
        ],
      );
      const both = await changes(position);
      assert.deepEqual([both.deleted, both.restored], [[], [reply.id]], 'to a page that missed both');
      await boris.send('DELETE', `/posts/${reply.id}`);
      const last = await changes(position);
      assert.deepEqual([last.deleted, last.restored], [[reply.id], undefined]);
    });

    test('two hundred parallel calls restore it once', async (t) => {
      const { wall, anna, post } = await conversation(engine);
      await using _ = wall;
      await anna.send('DELETE', `/posts/${post.id}`);
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, async () => (await undo(anna, post.id)).statusCode),
      );
      assert.deepEqual(
        [outcomes.filter((status) => status === 200).length, new Set(outcomes)],
        [1, new Set([200, 404])],
      );
      assert.deepEqual(await differences(wall), []);
      t.diagnostic('200 calls: 1 × 200, 199 × 404');
    });
  });
}
