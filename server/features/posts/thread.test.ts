import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readWhole, shape, threadOf, wallOf } from '../../../test/kit/discussion.ts';
import { engines } from '../../../test/kit/engines.ts';
import { register } from '../../../test/kit/member.ts';
import { removePost } from '../../../test/kit/moderation.ts';
import { readingCost } from '../../../test/kit/reading-cost.ts';
import { findThread } from './thread.ts';
import { likePost } from './likes.ts';

for (const engine of engines) {
  describe(`a thread on ${engine}`, () => {
    test('has exactly the fields of the contract', async (t) => {
      const wall = await wallOf(t, engine);
      const root = await wall.post(wall.anna, 'корень');
      const reply = await wall.reply(wall.anna, root, 'ответ');
      const nested = await wall.reply(wall.anna, reply, 'ответ на ответ');
      const at = wall.clock.now;
      const post = (id: number, text: string, age: number, actions: object) => ({
        id: `${id}`,
        text,
        created_at: at - age,
        is_modified: false,
        owner: { id: `${wall.anna}`, username: 'anna_petrova', display_name: null },
        actions: {
          is_liked: false,
          likes_count: 0,
          replies_count: 0,
          thread_count: null,
          parent_post_id: `${root}`,
          replied_post_id: null,
          replied_post: null,
          ...actions,
        },
      });
      const first = post(root, 'корень', 3, { replies_count: 1, thread_count: 2, parent_post_id: null });
      const second = post(reply, 'ответ', 2, { replies_count: 1, replied_post_id: `${root}` });
      const third = post(nested, 'ответ на ответ', 1, { replied_post_id: `${reply}` });
      const leaf = { id: `${nested}`, post: third, replies: [], more: null };
      assert.deepEqual(await threadOf(wall, root), {
        ancestors: [],
        skipped: 0,
        post: first,
        replies: [{ id: `${reply}`, post: second, replies: [leaf], more: null }],
        total: 1,
        next: null,
      });
      const { actions } = second;
      assert.deepEqual(await threadOf(wall, reply), {
        ancestors: [first],
        skipped: 0,
        post: { ...second, actions: { ...actions, replied_post: first } },
        replies: [leaf],
        total: 1,
        next: null,
      });
    });

    test('starts with the direct replies, and continues in the list and in every branch', async (t) => {
      const wall = await wallOf(t, engine);
      const root = await wall.post(wall.anna, 'корень');
      const [a, b, c] = [
        await wall.reply(wall.anna, root, 'а'),
        await wall.reply(wall.anna, root, 'б'),
        await wall.reply(wall.anna, root, 'в'),
      ];
      const below: number[] = [];
      for (let i = 0; i < 23; i += 1) below.push(await wall.reply(wall.anna, b, `${i}`));
      const branch = below.slice(0, 20).join(' ');
      assert.equal(shape((await threadOf(wall, root)).replies), `${c} ${b}(${branch} +3) ${a}`);
      assert.equal(shape((await threadOf(wall, root, '?order=oldest')).replies), `${a} ${b}(${branch} +3) ${c}`);
      const page = await threadOf(wall, root, '?limit=2');
      assert.equal(shape(page.replies), `${c} ${b}(${branch} +3)`);
      assert.deepEqual([page.total, shape((await threadOf(wall, root, `?cursor=${page.next}`)).replies)], [3, `${a}`]);
      // Written since: both continue where they were.
      const late = await wall.reply(wall.anna, b, 'поздний');
      const fresh = await wall.reply(wall.anna, root, 'новый');
      const { cursor } = page.replies[1].more;
      const next = await threadOf(wall, root, `?branch=${cursor}&limit=3`);
      assert.deepEqual([shape(next.replies), next.total], [below.slice(20).join(' '), 24]);
      const last = await threadOf(wall, root, `?branch=${next.next}`);
      assert.deepEqual([shape(last.replies), last.next], [`${late}`, null]);
      assert.equal(shape((await threadOf(wall, root, `?cursor=${page.next}`)).replies), `${a}`);
      // Too many to be read as a whole.
      for (let i = 0; i < 30; i += 1) await wall.reply(wall.anna, late, `${i}`);
      assert.equal(shape((await threadOf(wall, root)).replies), `${fresh} ${c} ${b}(${branch} +4) ${a}`);
    });

    test('has a response of its own for each way to continue', async (t) => {
      const wall = await wallOf(t, engine);
      const root = await wall.post(wall.anna, 'корень');
      const a = await wall.reply(wall.anna, root, 'а');
      const b = await wall.reply(wall.anna, root, 'б');
      await wall.reply(wall.anna, root, 'в');
      const branch = `b${root.toString(36)}-${a.toString(36)}`;
      // Cached from the second request on.
      for (let i = 0; i < 3; i += 1) await threadOf(wall, root, `?limit=1&branch=${branch}`);
      const { next } = await threadOf(wall, root, `?limit=1&order=oldest&cursor=c${a.toString(36)}`);
      assert.equal(next, `c${b.toString(36)}`);
    });

    test('of 300 replies gives each once, and never more than fifty at a time', async (t) => {
      const wall = await wallOf(t, engine);
      const ids = [await wall.post(wall.anna, 'корень')];
      for (let i = 0; i < 300; i += 1) {
        // A deep chain, a wide list, and replies anywhere.
        const to = i % 3 === 0 ? ids.at(-1)! : i % 3 === 1 ? ids[0]! : ids[(i * 7919) % ids.length]!;
        ids.push(await wall.reply(wall.anna, to, `${i}`));
      }
      for (const limit of [1, 10, 50]) {
        const { nodes } = await readWhole(wall, ids[0]!, { limit });
        assert.deepEqual(
          [...nodes.keys()].map(Number).toSorted((a, b) => a - b),
          ids.slice(1),
        );
      }
      const { actions } = (await wall.get(`/api/v1/posts/${ids[0]}`)).json;
      assert.equal(actions.thread_count, 300);
      assert.equal((await wall.get('/api/v1/posts')).json.posts[0].actions.thread_count, 300);
    });

    test('costs the same for a hundred replies and for thousands', async (t) => {
      const wall = await wallOf(t, engine);
      const many = 3_000;
      const rootWith = async (replies: number, isBelowOnlyReply: boolean): Promise<number> => {
        const root = await wall.post(wall.anna, 'корень');
        const above = isBelowOnlyReply ? await wall.reply(wall.anna, root, 'единственный ответ') : root;
        const place = { parent_post_id: root, replied_post_id: above, depth: isBelowOnlyReply ? 2 : 1 };
        const row = { ...place, user_id: wall.anna, text: 'один из многих', created_at: 1 };
        for (let written = 0; written < replies; written += 1_000) {
          const rows = Array.from({ length: Math.min(1_000, replies - written) }, () => row);
          await wall.db.tx(({ db }) => db.insertInto('posts').values(rows).execute());
        }
        await wall.db.tx(async ({ db }) => {
          await db.updateTable('posts').set({ replies_count: replies }).where('id', '=', above).execute();
          await db.updateTable('posts').set({ thread_count: replies }).where('id', '=', root).execute();
        });
        return root;
      };
      const wide = [await rootWith(100, false), await rootWith(many, false)] as const;
      const narrow = [await rootWith(100, true), await rootWith(many, true)] as const;
      for (const [few, all] of [wide, narrow]) {
        const costOf = (id: number): Promise<number> => {
          const part = { of: id, isBranch: false, order: 'newest', after: undefined, limit: 10 } as const;
          return readingCost(wall.db, ({ db }) => findThread(db, id, part));
        };
        const [light, heavy] = [await costOf(few), await costOf(all)];
        // Reading all of them would cost thirty times as much.
        assert.ok(heavy < 3 * light, `${heavy} against ${light}`);
      }
    });

    test('shows the way to a post: the root and the last five it answers', async (t) => {
      const wall = await wallOf(t, engine);
      const chain = [await wall.post(wall.anna, '0')];
      for (let i = 1; i <= 12; i += 1) chain.push(await wall.reply(wall.anna, chain.at(-1)!, `${i}`));
      const wayTo = async (depth: number) => {
        const { ancestors, skipped, post } = await threadOf(wall, chain[depth]!);
        assert.equal(post.actions.replied_post?.id ?? null, ancestors.at(-1)?.id ?? null);
        return [ancestors.map(({ text }: { text: string }) => text).join(' '), skipped];
      };
      assert.deepEqual(await wayTo(0), ['', 0]);
      assert.deepEqual(await wayTo(6), ['0 1 2 3 4 5', 0]);
      assert.deepEqual(await wayTo(7), ['0 2 3 4 5 6', 1]);
      assert.deepEqual(await wayTo(12), ['0 7 8 9 10 11', 6]);
      // Over what is gone the way still leads to the root.
      await wall.remove(chain[10]!);
      await removePost(wall, `${chain[9]}`);
      const { ancestors, skipped } = await threadOf(wall, chain[12]!);
      assert.deepEqual([ancestors.map(({ text }: { text: string }) => text).join(' '), skipped], ['0 7 8 11', 6]);
      await wall.remove(chain[0]!);
      assert.equal((await threadOf(wall, chain[12]!)).ancestors[0].text, '7');
      assert.equal((await threadOf(wall, chain[11]!)).post.actions.replied_post, null);
    });

    test('contains the likes of its reader, at the right posts', async (t) => {
      const wall = await wallOf(t, engine);
      const viewer = await register(wall);
      const trap = '"is_liked":false,\\"is_liked":false';
      const chain = [await wall.post(wall.anna, trap)];
      for (let i = 1; i <= 3; i += 1) chain.push(await wall.reply(wall.anna, chain.at(-1)!, trap));
      chain.push(await wall.reply(wall.anna, chain[1]!, trap), await wall.reply(wall.anna, chain[1]!, trap));
      const liked = [0, 2, 5].map((i) => `${chain[i]}`);
      for (const id of liked) {
        await wall.db.tx((tx) => likePost(tx, { postId: Number(id), userId: Number(viewer.id), now: 1 }));
      }
      for (const id of chain) {
        const { json } = await viewer
          .send('GET', `/posts/${id}/thread`)
          .then((response) => ({ json: response.json() }));
        const seen = [...JSON.stringify(json).matchAll(/"id":"(\d+)","text".+?"is_liked":(true|false),"likes/g)];
        assert.ok(seen.length >= 1);
        for (const [, shown, isLiked] of seen)
          assert.equal(isLiked, String(liked.includes(shown!)), `${shown} in ${id}`);
        assert.doesNotMatch((await wall.get(`/api/v1/posts/${id}/thread`)).text, /"is_liked":true,"likes/);
      }
    });

    test('refuses what no thread has given out', async (t) => {
      const wall = await wallOf(t, engine);
      const [root, other] = [await wall.post(wall.anna, 'корень'), await wall.post(wall.anna, 'другая')];
      const foreign = await wall.reply(wall.anna, other, 'чужой ответ');
      await wall.reply(wall.anna, foreign, 'ниже');
      const bad = [
        'cursor=',
        'cursor=5',
        'cursor=b1-1',
        'branch=',
        'branch=c1',
        'branch=b1',
        'branch=b0-1',
        'branch=b1-',
      ];
      bad.push('branch=bzzzzzzzzzzz-1', 'order=best', 'limit=0', 'limit=51', 'limit=-1', 'limit=a');
      for (const query of bad) {
        const { status, json } = await wall.get(`/api/v1/posts/${root}/thread?${query}`);
        assert.deepEqual([status, json.code], [400, 'INVALID_REQUEST'], query);
      }
      for (const id of ['999999', 'нет', '0', '-1']) {
        const { status, json } = await wall.get(`/api/v1/posts/${encodeURIComponent(id)}/thread`);
        assert.deepEqual([status, json.code], [404, 'NOT_FOUND'], id);
      }
      // The branch of another discussion, and of nothing.
      for (const above of [foreign, 999_999]) {
        const { replies, total, next } = await threadOf(wall, root, `?branch=b${above.toString(36)}-1`);
        assert.deepEqual([replies, total, next], [[], 0, null]);
      }
    });
  });
}
