import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { engines, type Engine } from '../../../test/kit/engines.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { signInElsewhere, type Member, outcome, register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';

const wallOf = (engine: Engine, settings?: NodeJS.ProcessEnv): Promise<Wall> =>
  openWall(engine, { RATE_LIMITS: 'off', ...settings });

async function post(author: Member, text: string): Promise<string> {
  return (await author.send('POST', '/posts', { text })).json().id;
}

async function reply(author: Member, to: string, text: string): Promise<string> {
  const response = await author.send('POST', `/posts/${to}/replies`, { text });
  assert.equal(response.statusCode, 201, response.body);
  return response.json().id;
}

const notificationsTo = async (person: Member, query = '') =>
  (await person.send('GET', `/users/current/notifications${query}`)).json();

const unreadOf = async (person: Member): Promise<number> => (await notificationsTo(person)).unread;

const idsOf = async (person: Member, query?: string): Promise<string[]> =>
  (await notificationsTo(person, query)).posts.map(({ id }: { id: string }) => id);

const read = (person: Member, upTo: string) => person.send('PUT', '/users/current/notifications/read', { up_to: upTo });

for (const engine of engines) {
  describe(`notifications on ${engine}`, () => {
    test('are the replies of others to own posts and replies, and below own root posts, newest first, with the quoted post', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris, vera] = [await register(wall), await register(wall), await register(wall)];
      const root = await post(anna, 'запись');
      const first = await reply(boris, root, 'ответ на запись');
      const mine = await reply(anna, first, 'мой ответ');
      const second = await reply(vera, mine, 'ответ на ответ');
      const toHerself = await reply(anna, root, 'самой себе');
      const below = await reply(vera, first, 'не мне, но под моей записью');

      const page = await notificationsTo(anna);
      assert.deepEqual(
        page.posts.map(({ id, actions }: { id: string; actions: { replied_post: { id: string } } }) => [
          id,
          actions.replied_post.id,
        ]),
        [
          [below, first],
          [second, mine],
          [first, root],
        ],
      );
      assert.deepEqual([page.total, page.unread, page.next, page.lastPage], [3, 3, null, 1]);
      assert.deepEqual(await idsOf(boris), [below, toHerself, second, mine], 'once each');
      await boris.send('POST', `/posts/${second}/likes`);
      assert.equal((await notificationsTo(boris)).posts[0].actions.is_liked, false);
      await anna.send('POST', `/posts/${second}/likes`);
      assert.equal((await notificationsTo(anna)).posts[1].actions.is_liked, true);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('continue after the last one received, whatever was added since', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const root = await post(anna, 'запись');
      const ids: string[] = [];
      for (let i = 0; i < 5; i += 1) ids.unshift(await reply(boris, root, `ответ ${i}`));
      const page = await notificationsTo(anna, '?limit=2');
      assert.deepEqual([page.lastPage, page.total, page.posts.length], [3, 5, 2]);
      await reply(boris, root, 'ещё один');
      assert.deepEqual(await idsOf(anna, `?limit=2&cursor=${page.next}`), ids.slice(2, 4));
      assert.deepEqual(await idsOf(anna, '?limit=2&page=3'), ids.slice(3, 5));
    });

    test('are marked as read up to a given one, and stay read', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const root = await post(anna, 'запись');
      const [first, second, third] = [
        await reply(boris, root, 'раз'),
        await reply(boris, root, 'два'),
        await reply(boris, root, 'три'),
      ];
      assert.deepEqual(await outcome(read(anna, second)), [204]);
      assert.equal(await unreadOf(anna), 1);
      await read(anna, first);
      assert.equal(await unreadOf(anna), 1);
      await Promise.all([read(anna, third), read(anna, first), read(anna, second)]);
      assert.equal(await unreadOf(anna), 0);
      assert.equal(await unreadOf(await signInElsewhere(wall, anna)), 0);
      for (const missing of [root, '999999', 'нет', '']) {
        assert.deepEqual(await outcome(read(anna, missing)), [404, 'NOT_FOUND'], missing);
      }
      assert.deepEqual(await outcome(read(boris, third)), [404, 'NOT_FOUND']);
      for (const body of [{}, { up_to: 5 }, { up_to: first, more: 1 }]) {
        assert.deepEqual(await outcome(anna.send('PUT', '/users/current/notifications/read', body)), [
          400,
          'INVALID_REQUEST',
        ]);
      }
      await reply(boris, root, 'четыре');
      assert.equal(await unreadOf(anna), 1);
    });

    test('disappear with a deleted reply, and stay when the replied post is deleted', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const root = await post(anna, 'запись');
      const [kept, gone] = [await reply(boris, root, 'останется'), await reply(boris, root, 'исчезнет')];
      await boris.send('DELETE', `/posts/${gone}`);
      await anna.send('DELETE', `/posts/${root}`);
      const { posts, total, unread } = await notificationsTo(anna);
      assert.deepEqual([posts.length, posts[0].id, total, unread], [1, kept, 1, 1]);
      assert.deepEqual([posts[0].actions.replied_post_id, posts[0].actions.replied_post], [root, null]);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('of a nested reply disappear and return with it for both people, and stay read', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris, vera] = [await register(wall), await register(wall), await register(wall)];
      const root = await post(anna, 'запись');
      const first = await reply(boris, root, 'ответ');
      const nested = await reply(vera, first, 'ответ на ответ');
      const unreadOfBoth = async () => [await unreadOf(anna), await unreadOf(boris)];
      assert.deepEqual(await unreadOfBoth(), [2, 1]);
      await read(boris, nested);
      for (let round = 0; round < 2; round += 1) {
        assert.equal(await removePost(wall, nested), true);
        assert.deepEqual([await idsOf(anna), await idsOf(boris), await unreadOfBoth()], [[first], [], [1, 0]]);
        assert.equal(await restore(wall, nested), 'restored');
        assert.deepEqual(
          [await idsOf(anna), await idsOf(boris), await unreadOfBoth()],
          [[nested, first], [nested], [2, 0]],
        );
      }
      await removePost(wall, nested);
      await vera.send('DELETE', `/posts/${nested}`);
      assert.deepEqual(await wall.db.read.selectFrom('removed_notifications').selectAll().execute(), []);
      const again = await reply(vera, first, 'ещё раз');
      await vera.send('DELETE', `/posts/${again}`);
      assert.deepEqual([await idsOf(anna), await idsOf(boris), await unreadOfBoth()], [[first], [], [1, 0]]);
      await anna.send('PUT', `/users/current/mutes/${vera.id}`);
      await reply(vera, first, 'тихо');
      assert.deepEqual(await unreadOfBoth(), [1, 1]);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('are not made for authors of root posts that are gone', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris, vera] = [await register(wall), await register(wall), await register(wall)];
      const first = await reply(boris, await post(anna, 'запись'), 'ответ');
      const removed = await reply(boris, await post(anna, 'ещё запись'), 'ответ');
      await anna.send('DELETE', `/posts/${Number(first) - 1}`);
      await removePost(wall, String(Number(removed) - 1));
      for (const to of [first, removed]) await reply(vera, to, 'ответ на ответ');
      assert.equal((await notificationsTo(anna)).total, 2);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('are all counted when people reply to each other at once', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const [hers, his] = [await post(anna, 'её'), await post(boris, 'его')];
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 ? reply(anna, his, `${i}`) : reply(boris, hers, `${i}`))),
      );
      for (const person of [anna, boris]) {
        const { total, unread } = await notificationsTo(person);
        assert.deepEqual([total, unread], [10, 10]);
      }
      const vitals = wall.db.vitals();
      if (vitals.engine === 'postgres')
        assert.equal(vitals.repeats, 0, 'no transaction waits for one that waits for it');
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('are reported to the event streams of their person only', async (t) => {
      await using wall = await wallOf(engine);
      await wall.app.listen({ host: '127.0.0.1', port: 0 });
      const url = `http://127.0.0.1:${(wall.app.server.address() as AddressInfo).port}/api/v1/events`;
      const [anna, boris] = [await register(wall), await register(wall)];
      const elsewhere = await signInElsewhere(wall, anna);
      const left = await signInElsewhere(wall, anna);
      const root = await post(anna, 'запись');
      const listen = async (headers: Record<string, string>) => {
        const opened = await readEvents(url, headers);
        t.after(opened.close);
        await opened.until((received) => received.length > 0);
        return opened;
      };
      const cookie = (of: Member) => ({ cookie: `session=${of.cookies.get('session')}` });
      const vera = await register(wall);
      const [hers, hersToo, his, visitor, closed] = [
        await listen(cookie(anna)),
        await listen({ authorization: `Bearer ${elsewhere.token}` }),
        await listen(cookie(boris)),
        await listen({ cookie: 'session=strange' }),
        await listen(cookie(left)),
      ];
      await left.send('DELETE', '/sessions/current');

      const id = await reply(boris, root, 'ответ');
      for (const { until } of [hers, hersToo]) await until((received) => received.at(-1)!.changes.unread === 1);
      for (const { until } of [his, visitor, closed]) await until((received) => received.length === 2);
      await read(anna, id);
      for (const { until } of [hers, hersToo]) await until((received) => received.at(-1)!.changes.unread === 0);

      // Both the replied person and the author of the root post.
      await reply(vera, id, 'ответ на ответ');
      for (const { until } of [hers, hersToo, his]) await until((received) => received.at(-1)!.changes.unread === 1);
      for (const { until } of [visitor, closed]) await until((received) => received.length === 3);

      await post(boris, 'для всех');
      for (const { until } of [his, visitor, closed]) {
        const received = await until((all) => all.at(-1)!.changes.posts.length > 0);
        assert.equal(received.length, 4, 'reading is reported to nobody else');
      }
      assert.deepEqual(
        [hers, his, visitor].map(({ received }) => received[0]!.changes.unread),
        [0, 0, undefined],
      );
      assert.deepEqual(
        his.received.slice(1).map(({ changes }) => changes.unread),
        [undefined, 1, undefined],
      );
      assert.ok(visitor.received.every(({ changes }) => changes.unread === undefined));
      assert.ok(closed.received.slice(1).every(({ changes }) => changes.unread === undefined));
      const polled = (await anna.send('GET', '/events')).json();
      assert.equal(polled.unread, 1);
      assert.equal((await wall.get('/api/v1/events')).json.unread, undefined);
    });
  });
}
