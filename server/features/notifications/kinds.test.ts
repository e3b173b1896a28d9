import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Engine, engines } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, outcome, publish, register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { replyTo, notificationsOf, notifiedOf } from '../../../test/kit/notified.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { blockUser } from '../moderation/store.ts';

const wallOf = (engine: Engine): Promise<Wall> => openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });

/** People who are no newcomers: those may mention two people in a post. */
async function people(wall: Wall, n: number): Promise<Member[]> {
  const members = await Promise.all(Array.from({ length: n }, () => register(wall)));
  await wall.db.tx(({ db }) =>
    db
      .updateTable('users')
      .set({ created_at: wall.clock.now - 4 * 86_400 })
      .execute(),
  );
  return members;
}

const follow = async (person: Member, postId: string, method: 'PUT' | 'DELETE' | 'GET' = 'PUT') =>
  (await person.send(method, `/posts/${postId}/follow`)).json().following;

for (const engine of engines) {
  describe(`a post on ${engine}`, () => {
    test('notifies each person once: of a reply to them, otherwise of a mention, otherwise of a discussion they follow', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris, vera, gleb, dina] = (await people(wall, 5)) as [Member, Member, Member, Member, Member];
      const { id: root } = await publish(anna, 'запись');
      const first = await replyTo(boris, root);
      await follow(vera, first);
      await follow(gleb, root);
      const everyone = [anna, boris, vera, gleb, dina].map(({ username }) => `@${username}`).join(', ');
      const second = await replyTo(dina, first, 'без имён');
      const third = await replyTo(dina, first, everyone.toUpperCase());
      assert.deepEqual(await notifiedOf(boris), [
        [third, 'answer'],
        [second, 'answer'],
      ]);
      assert.deepEqual(await notifiedOf(anna), [
        [third, 'mention'],
        [second, 'followed'],
        [first, 'answer'],
      ]);
      for (const follower of [vera, gleb]) {
        assert.deepEqual(await notifiedOf(follower), [
          [third, 'mention'],
          [second, 'followed'],
        ]);
      }
      assert.deepEqual(await notifiedOf(dina), []);
      const { id: named } = await publish(boris, `слово ${anna.username}, имя @${dina.username}.`);
      assert.deepEqual(await notifiedOf(dina), [[named, 'mention']]);
      assert.equal((await notifiedOf(anna)).length, 3);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('is listed with its kind and with the root posts that are left, each once', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris] = (await people(wall, 2)) as [Member, Member];
      const roots = [(await publish(anna, 'раз')).id, (await publish(anna, 'два')).id, (await publish(anna, 'три')).id];
      const replies: string[] = [];
      for (const root of [...roots, ...roots]) replies.unshift(await replyTo(boris, root));
      await anna.send('POST', `/posts/${roots[0]}/likes`);
      const { id: mention } = await publish(boris, `@${anna.username}`);
      await anna.send('DELETE', `/posts/${roots[2]}`);
      const page = await notificationsOf(anna, '?limit=4');
      assert.deepEqual(
        page.posts.map(({ id }) => id),
        [mention, ...replies.slice(0, 3)],
      );
      assert.deepEqual(page.kinds, ['mention', 'answer', 'answer', 'answer']);
      assert.deepEqual(
        page.roots.map(({ id, text, actions }) => [id, text, actions.is_liked]),
        [
          [roots[1], 'два', false],
          [roots[0], 'раз', true],
        ],
      );
      const next = await notificationsOf(anna, `?limit=4&cursor=${page.next}`);
      assert.deepEqual([next.posts.length, next.kinds.length, next.roots.length], [3, 3, 2]);
      const up = await notificationsOf(anna, `?limit=4&before=${next.previous}`);
      assert.deepEqual([up.posts, up.kinds, up.roots], [page.posts, page.kinds, page.roots]);
      const none = await notificationsOf(boris);
      assert.deepEqual([none.posts, none.kinds, none.roots], [[], [], []]);
    });

    test('mentions nobody by an address, a link, a longer name or an edit, and the first ten names only', async () => {
      await using wall = await wallOf(engine);
      const notified = 10;
      const [boris, ...named] = (await people(wall, notified + 2)) as [Member, ...Member[]];
      const anna = named[0]!;
      const { id } = await publish(boris, `a@${anna.username} https://a.org/@${anna.username} @${anna.username}a_b`);
      await boris.send('PATCH', `/posts/${id}`, { text: `@${anna.username}` });
      assert.deepEqual(await notifiedOf(anna), []);
      await publish(boris, `@nobody_of_this_name ${anna.username}`);
      const text = named.map(({ username }) => `@${username}`).join(' ');
      await publish(boris, `${text} @${anna.username}`);
      const counts = await Promise.all(named.map(async (person) => (await notifiedOf(person)).length));
      assert.deepEqual(counts, [...Array.from({ length: notified }, () => 1), 0]);
    });

    test('notifies nobody who has muted its author, is blocked, has deleted the account, or wrote it', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris, vera, gleb] = (await people(wall, 4)) as [Member, Member, Member, Member];
      const { id: root } = await publish(anna, 'запись');
      const first = await replyTo(vera, root);
      await follow(gleb, root);
      const before = await wall.db.read.selectFrom('notifications').selectAll().execute();
      for (const person of [anna, vera, gleb]) await person.send('PUT', `/users/current/mutes/${boris.id}`);
      for (const to of [root, first])
        await replyTo(boris, to, `@${anna.username} @${gleb.username} @${boris.username}`);
      await publish(boris, `@${anna.username} @${boris.username}`);
      assert.deepEqual(await wall.db.read.selectFrom('notifications').selectAll().execute(), before);
      await anna.send('DELETE', `/users/current/mutes/${boris.id}`);
      assert.equal((await notificationsOf(anna)).unread, 1, 'nor when the author is shown again');

      for (const person of [vera, gleb]) await person.send('DELETE', `/users/current/mutes/${boris.id}`);
      await wall.db.tx((tx) => blockUser(tx, Number(gleb.id), 'правила', 1));
      await deleteAccount(wall, vera);
      await replyTo(boris, root, `@${gleb.username} @${vera.username}`);
      const notified = wall.db.read.selectFrom('notifications').select('user_id').where('author_id', '=', +boris.id);
      assert.deepEqual(await notified.execute(), [{ user_id: Number(anna.id) }]);
      await runJobs(wall.db, wall.clock.now + 100);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('that is deleted, removed or restored takes along the notifications of its mentions and followers', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris, vera] = (await people(wall, 3)) as [Member, Member, Member];
      const { id: root } = await publish(anna, `@${vera.username}`);
      const id = await replyTo(boris, root, `@${vera.username}`);
      const all = async () => [await notifiedOf(anna), await notifiedOf(vera)];
      const before = await all();
      assert.deepEqual(before, [
        [[id, 'answer']],
        [
          [id, 'mention'],
          [root, 'mention'],
        ],
      ]);
      for (const withdrawn of [id, root]) {
        await removePost(wall, withdrawn);
        assert.deepEqual(
          await all(),
          before.map((notified) => notified.filter(([each]) => each !== withdrawn)),
        );
        assert.equal(await restore(wall, withdrawn), 'restored');
        assert.deepEqual(await all(), before);
      }
      await boris.send('DELETE', `/posts/${id}`);
      assert.deepEqual(await all(), [[], [[root, 'mention']]]);
      await boris.send('POST', `/posts/${id}/restoration`);
      assert.deepEqual(await all(), before);
      await boris.send('DELETE', `/posts/${id}`);
      await runJobs(wall.db, wall.clock.now + 1_000);
      assert.deepEqual(await wall.db.read.selectFrom('removed_notifications').selectAll().execute(), []);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });
  });

  describe(`following a discussion on ${engine}`, () => {
    test('is the default of its author and of those who reply, until they decline', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris, vera] = (await people(wall, 3)) as [Member, Member, Member];
      const { id: root } = await publish(anna, 'запись');
      const following = async (person: Member, of = root) => follow(person, of, 'GET');
      assert.deepEqual([await following(anna), await following(boris)], [true, false]);
      const first = await replyTo(boris, root);
      assert.deepEqual([await following(boris), await following(boris, first)], [true, true]);

      for (const person of [anna, boris]) assert.equal(await follow(person, first, 'DELETE'), false);
      const second = await replyTo(vera, first);
      await replyTo(boris, second, 'ответ не делает следящим снова');
      await replyTo(vera, second);
      assert.deepEqual([await following(anna), await following(boris)], [false, false]);
      assert.deepEqual(await notifiedOf(anna), [[first, 'answer']], 'a reply is notified of in any case');
      assert.deepEqual(await notifiedOf(boris), [[second, 'answer']]);
      for (const person of [anna, boris]) assert.equal(await follow(person, second), true);
      const last = await replyTo(vera, second);
      for (const person of [anna, boris]) assert.deepEqual((await notifiedOf(person))[0], [last, 'followed']);
    });

    test('by replying is a setting', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris] = (await people(wall, 2)) as [Member, Member];
      const { id: root } = await publish(anna, 'запись');
      const path = '/users/current/notification-settings';
      const settings = async () => (await boris.send('GET', path)).json();
      assert.deepEqual(await settings(), { follow_replied: true, digest: 'off' });
      const chosen = { follow_replied: false, digest: 'weekly' };
      assert.deepEqual((await boris.send('PUT', path, chosen)).json(), chosen);
      assert.deepEqual(await settings(), chosen);
      await replyTo(boris, root);
      assert.equal(await follow(boris, root, 'GET'), false);
      await follow(boris, root);
      await replyTo(boris, root);
      assert.equal(await follow(boris, root, 'GET'), true);
      for (const body of [
        {},
        { follow_replied: 1, digest: 'off' },
        { ...chosen, digest: 'hourly' },
        { digest: 'off' },
      ]) {
        assert.deepEqual(await outcome(boris.send('PUT', path, body)), [400, 'INVALID_REQUEST']);
      }
      assert.deepEqual((await anna.send('GET', path)).json(), { follow_replied: true, digest: 'off' });
    });

    test('is refused for an unknown post, and goes with the account', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris] = (await people(wall, 2)) as [Member, Member];
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        for (const id of ['999', 'нет']) {
          assert.deepEqual(await outcome(boris.send(method, `/posts/${id}/follow`)), [404, 'NOT_FOUND']);
        }
        assert.equal((await wall.app.inject({ method, url: '/api/v1/posts/1/follow' })).statusCode, 401);
      }
      const { id: root } = await publish(anna, 'запись');
      await follow(boris, root);
      await follow(anna, root, 'DELETE');
      await deleteAccount(wall, boris);
      await runJobs(wall.db, wall.clock.now + 100);
      assert.deepEqual(await wall.db.read.selectFrom('follows').selectAll().execute(), [
        { root_post_id: Number(root), user_id: Number(anna.id), following: 0 },
      ]);
      assert.deepEqual(await outcome(boris.send('GET', `/posts/${root}/follow`)), [401, 'UNAUTHORIZED']);
    });
  });
}
