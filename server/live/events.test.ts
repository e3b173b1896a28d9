import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { LightMyRequestResponse } from 'fastify';
import { registerModerator } from '../../test/kit/desk.ts';
import { engines } from '../../test/kit/engines.ts';
import { type EventReader, readEvents, type ReceivedEvent } from '../../test/kit/event-reader.ts';
import { liveWall, postsIn, reader, untilPositioned } from '../../test/kit/live-wall.ts';
import { deleteAccount, publish, register } from '../../test/kit/member.ts';
import { ticksUntil, pollWithin } from '../../test/kit/polling.ts';
import { notOnLocalhost, openWall, type Wall } from '../../test/kit/wall.ts';
import { likePost } from '../features/posts/likes.ts';
import { changeText, lockPost } from '../features/posts/post-writes.ts';
import { removeExpired } from '../ops/jobs/wall-jobs.ts';

for (const engine of engines) {
  describe(`events on ${engine}`, { concurrency: 4 }, () => {
    test('report new, changed and deleted posts, and counts', async (t) => {
      const wall = await liveWall(t, engine);
      const anna = await wall.person('anna_petrova');
      const { until } = await reader(t, wall.url);

      const id = await wall.post(anna, 'новая');
      await until((received) => postsIn(received).includes(`${id}`));
      await wall.db.tx((tx) => likePost(tx, { postId: id, userId: anna, now: 1 }));
      await until((received) =>
        received.some(({ changes }) => changes.counts.some((count) => count.id === `${id}` && count.likes_count === 1)),
      );
      await wall.db.tx(async (tx) => changeText(tx, (await lockPost(tx, id))!, 'изменённая', 1));
      const received = await until((all) => all.at(-1)!.changes.changed.length > 0);
      assert.deepEqual(received.at(-1)!.changes.changed, [
        { id: `${id}`, text: 'изменённая', is_modified: true, modified_at: 1 },
      ]);
      await wall.remove(id);
      await until((all) => all.at(-1)!.changes.deleted.includes(`${id}`));
      assert.deepEqual(received[0]!.changes.posts, []);
      assert.ok(received.every((event) => event.id === event.changes.position));
    });

    test('report how a discussion may be replied to, and that another post is pinned', async (t) => {
      const wall = await liveWall(t, engine);
      const anna = await register(wall);
      const keeper = await registerModerator(wall);
      const id = String(await wall.post(Number(anna.id), 'вопрос'));
      await untilPositioned(wall);
      const { until } = await reader(t, wall.url);
      const rules = (received: ReceivedEvent[]) => received.flatMap(({ changes }) => changes.rules ?? []);
      const isSaid = async (rule: object) => {
        const received = await until((all) => isDeepStrictEqual(rules(all).at(-1), { id, ...rule }));
        assert.equal(received.at(-1)!.changes.pinned, undefined);
      };
      const isDone = async (sending: Promise<LightMyRequestResponse>) =>
        assert.ok((await sending).statusCode < 300, (await sending).body);
      await isDone(anna.send('PUT', `/posts/${id}/closure`));
      await isSaid({ is_closed: true, closed_by: 'author', rule: 'Автор запретил новые ответы' });
      await isDone(anna.send('DELETE', `/posts/${id}/closure`));
      await isSaid({});
      await isDone(keeper.send('PUT', `/moderation/posts/${id}/lock`, { reason: 'спор' }));
      await isSaid({ is_closed: true, rule: 'Новые ответы запрещены' });
      const pins = (received: ReceivedEvent[]) => received.filter(({ changes }) => changes.pinned).length;
      await isDone(keeper.send('PUT', '/moderation/pin', { post_id: id, until: null }));
      await until((all) => pins(all) === 1);
      await isDone(keeper.send('DELETE', '/moderation/pin', {}));
      await until((all) => pins(all) === 2);
    });

    test('report replies only to subscribers that named the post, and counts to all', async (t) => {
      const wall = await liveWall(t, engine);
      const anna = await wall.person('anna_petrova');
      const [watched, other] = [await wall.post(anna, 'одна'), await wall.post(anna, 'другая')];
      await untilPositioned(wall);
      const watching = await reader(t, `${wall.url}?posts=${watched},999`);
      const idle = await reader(t, wall.url);
      const reply = await wall.reply(anna, watched, 'ответ');
      const below = await wall.reply(anna, reply, 'ответ на ответ');
      await wall.reply(anna, other, 'мимо');
      const count = (postId: number) => (received: ReceivedEvent[]) =>
        received.some(({ changes }) =>
          changes.counts.some(({ id, replies_count: n }) => id === `${postId}` && n === 1),
        );
      for (const { until } of [watching, idle]) await until(count(other));
      assert.deepEqual(
        watching.received.flatMap(({ changes }) => changes.replies),
        [
          { id: `${reply}`, owner_id: `${anna}`, replied_post_id: `${watched}`, parent_post_id: `${watched}` },
          { id: `${below}`, owner_id: `${anna}`, replied_post_id: `${reply}`, parent_post_id: `${watched}` },
        ],
      );
      assert.ok(count(watched)(watching.received));
      assert.deepEqual(
        idle.received.flatMap(({ changes }) => changes.replies),
        [],
      );
      assert.deepEqual(postsIn(watching.received), []);
    });

    test('report a nested reply to readers of the replied post or of the root, and both counts', async (t) => {
      const wall = await liveWall(t, engine);
      const anna = await wall.person('anna_petrova');
      const root = await wall.post(anna, 'корень');
      const [first, second] = [await wall.reply(anna, root, 'первый'), await wall.reply(anna, root, 'второй')];
      await untilPositioned(wall);
      const { position } = (await wall.get('/api/v1/events')).json;
      const nested = await wall.reply(anna, first, 'ответ на ответ');
      await untilPositioned(wall);
      const since = async (watched: number, after = position) =>
        (await wall.get(`/api/v1/events?posts=${watched}&after=${after}`)).json;
      for (const watched of [root, first]) {
        assert.deepEqual((await since(watched)).replies, [
          { id: `${nested}`, owner_id: `${anna}`, replied_post_id: `${first}`, parent_post_id: `${root}` },
        ]);
      }
      const unrelated = await since(second);
      assert.deepEqual(unrelated.replies, []);
      const counts = (events: { counts: Array<{ id: string }> }) => events.counts.toSorted((a, b) => +a.id - +b.id);
      assert.deepEqual(counts(unrelated), [
        { id: `${root}`, likes_count: 0, replies_count: 2, thread_count: 3 },
        { id: `${first}`, likes_count: 0, replies_count: 1, thread_count: null },
      ]);
      await wall.remove(nested);
      await untilPositioned(wall);
      const gone = await since(root, unrelated.position);
      assert.deepEqual(
        [gone.deleted, counts(gone)[0]],
        [[`${nested}`], { id: `${root}`, likes_count: 0, replies_count: 2, thread_count: 2 }],
      );
    });

    test('continue after Last-Event-ID', async (t) => {
      const wall = await liveWall(t, engine);
      const anna = await wall.person('anna_petrova');
      const first = await reader(t, wall.url);
      const seen = await wall.post(anna, 'при нём');
      await first.until((received) => postsIn(received).includes(`${seen}`));
      first.close();
      const missed = [await wall.post(anna, 'без него'), await wall.post(anna, 'тоже')];
      const gone = await wall.post(anna, 'была и нет');
      await wall.remove(gone);
      await untilPositioned(wall);

      const position = first.received.at(-1)!.id;
      const again = await reader(t, wall.url, { 'last-event-id': position });
      assert.deepEqual(postsIn(again.received), missed.map(String));
      assert.deepEqual(again.received[0]!.changes.deleted, [`${gone}`]);
      assert.equal(again.received[0]!.changes.reset, false);
      // The header is newer than the position in the address.
      const both = await reader(t, `${wall.url}?after=${position}`, { 'last-event-id': again.received[0]!.id });
      assert.deepEqual(postsIn(both.received), []);

      const polled = (await wall.get(`/api/v1/events?after=${position}`)).json;
      assert.deepEqual(polled, again.received[0]!.changes);
      const { position: now } = (await wall.get('/api/v1/events')).json;
      assert.equal(now, again.received[0]!.id);
    });

    test('are reset when changes are no longer stored', async (t) => {
      const wall = await liveWall(t, engine);
      const anna = await wall.person('anna_petrova');
      const resetAfter = async (after: string): Promise<boolean> =>
        (await wall.get(`/api/v1/events?after=${after}`)).json.reset;
      await wall.post(anna, 'раз');
      await untilPositioned(wall);
      const { position } = (await wall.get('/api/v1/events')).json;
      assert.equal(await resetAfter(position), false);
      assert.equal(await resetAfter('что-то'), true);
      assert.equal(await resetAfter('99999999999'), true);

      wall.clock.now += 10_000;
      await wall.post(anna, 'два');
      await untilPositioned(wall);
      assert.equal(await resetAfter(position), false);
      await wall.post(anna, 'три');
      await untilPositioned(wall);
      await removeExpired(wall.db, wall.clock.now);
      assert.equal(await resetAfter(position), true);
      // The last row stays regardless of its age, because a subscriber at its position has missed nothing.
      const { position: last } = (await wall.get('/api/v1/events')).json;
      await removeExpired(wall.db, wall.clock.now + 10_000);
      assert.equal(await resetAfter(last), false);
    });

    test('miss nothing while many people write and subscribers reconnect', async (t) => {
      const wall = await liveWall(t, engine);
      const people = await Promise.all(Array.from({ length: 8 }, (_, i) => wall.person(`person_${i}`)));
      // From position 0 the server cannot know whether changes have been removed since, so one post is written first.
      await wall.post(people[0]!, 'первая');
      await untilPositioned(wall);
      const start = await reader(t, wall.url);
      let position = start.received[0]!.id;
      start.close();
      const received = new Set<string>();
      const writing = new AbortController();
      const written = Promise.all(
        people.map(async (person) => {
          const ids: string[] = [];
          for (let i = 0; i < 30; i += 1) ids.push(String(await wall.post(person, `запись ${i}`)));
          return ids;
        }),
      ).finally(() => writing.abort());
      const listen = async (): Promise<void> => {
        const current = await readEvents(wall.url, { 'last-event-id': position });
        await current.until((events) => events.length > 0);
        await sleep(Math.random() * 300);
        current.close();
        for (const id of postsIn(current.received)) received.add(id);
        position = current.received.at(-1)!.id;
      };
      while (!writing.signal.aborted) await listen();
      await listen();
      assert.deepEqual([...received].toSorted(), (await written).flat().toSorted());
    });

    test('end at once when the server stops', async (t) => {
      const wall = await liveWall(t, engine);
      const { ended } = await reader(t, wall.url);
      assert.ok((await ticksUntil(Promise.all([ended, wall.app.close()]))) < 200);
    });

    test('accept up to ten posts to watch', async (t) => {
      const wall = await liveWall(t, engine);
      assert.equal((await wall.get('/api/v1/events?posts=1,2,3,4,5,6,7,8,9,10')).status, 200);
      assert.equal((await wall.get('/api/v1/events?posts=1,2,3,4,5,6,7,8,9,10,11')).status, 400);
      assert.equal((await wall.get('/api/v1/events?posts=')).status, 400);
    });
  });
}

test('limits the open streams of a network', async (t) => {
  const wall = await liveWall(t, 'sqlite', notOnLocalhost);
  const open = await Promise.all(Array.from({ length: 500 }, () => readEvents(wall.url)));
  t.after(() => open.forEach(({ close }) => close()));
  await assert.rejects(readEvents(wall.url), /429.*TOO_MANY_REQUESTS/);
  open.pop()!.close();
  open.push(await pollWithin(100, () => readEvents(wall.url).catch(() => undefined)));
});

test('a person has at most 32 open streams: the next one ends the oldest', async (t) => {
  const wall = await liveWall(t, 'sqlite', { TRUST_PROXY: '127.0.0.1' });
  const anna = await register(wall);
  const opened: EventReader[] = [];
  for (let i = 0; i < 33; i += 1) {
    const from = { authorization: `Bearer ${anna.token}`, 'x-forwarded-for': `192.0.2.${i}` };
    opened.push(await readEvents(wall.url, from));
  }
  const visitor = await readEvents(wall.url);
  t.after(() => [...opened, visitor].forEach(({ close }) => close()));
  await opened[0]!.ended;
  await publish(anna, 'всем остальным');
  const seesPost = ({ until }: EventReader) =>
    until((received) => received.some(({ changes }) => changes.posts.length > 0));
  await Promise.all([...opened.slice(1), visitor].map(seesPost));
});

test('disconnects a subscriber that reads nothing', async (t) => {
  const wall = await liveWall(t, 'sqlite');
  const anna = await wall.person('anna_petrova');
  const ids = await Promise.all(Array.from({ length: 300 }, (_, i) => wall.post(anna, `${i}`)));
  const socket = connect(Number(new URL(wall.url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write('GET /api/v1/events HTTP/1.1\r\nhost: wall\r\naccept: text/event-stream\r\n\r\n');
  await new Promise((resolve) => socket.once('readable', resolve));
  const { received, until } = await reader(t, wall.url);
  const connections = (): Promise<number> =>
    new Promise((resolve) => wall.app.server.getConnections((_error, count) => resolve(count)));
  for (let round = 0; (await connections()) > 1; round += 1) {
    assert.ok(round < 60, 'still connected');
    await wall.db.tx(async (tx) => {
      for (const id of ids) await changeText(tx, (await lockPost(tx, id))!, `${round} ${id} `.padEnd(500, 'ж'), 1);
    });
    await until(() => received.at(-1)!.changes.changed.some(({ text }) => text.startsWith(`${round} `)));
  }
});

/** Adds rows like those of writes that change a count. The process is not notified of them. */
async function countChanges(wall: Wall, changes: number): Promise<void> {
  const row = { kind: 'counted', post_id: 1, owner_id: 1, replied_post_id: null, created_at: 1 } as const;
  await wall.db.tx(async (tx) => {
    for (let i = 0; i < changes; i += 1) await tx.db.insertInto('changes').values(row).execute();
  });
  await untilPositioned(wall);
}

async function positionOf(wall: Wall): Promise<string> {
  await untilPositioned(wall);
  return (await wall.get('/api/v1/events')).json.position;
}

for (const engine of engines) {
  describe(`missed changes on ${engine}`, () => {
    test('of one position are read once, and those of another count as many reads', async () => {
      await using wall = await openWall(engine, { READS_PER_MINUTE: '70' });
      const anna = await wall.person('anna_petrova');
      const positions: string[] = [];
      for (let i = 0; i < 4; i += 1) {
        await wall.post(anna, `${i}`);
        positions.push(await positionOf(wall));
      }
      await countChanges(wall, 290);
      const ask = async (after: string) => (await wall.get(`/api/v1/events?after=${after}`)).status;
      for (let i = 0; i < 5; i += 1) assert.equal(await ask(positions[0]!), 200);
      assert.deepEqual([await ask(positions[1]!), await ask(positions[2]!), await ask(positions[3]!)], [200, 200, 429]);
    });

    test('are replaced by a reset when there are more than 300 or their texts are long', async (t) => {
      const wall = await liveWall(t, engine);
      const anna = await wall.person('anna_petrova');
      const ids = await Promise.all(Array.from({ length: 100 }, (_, i) => wall.post(anna, `${i}`)));
      const first = async (after: string) => (await reader(t, `${wall.url}?after=${after}`)).received[0]!.changes;
      const edit = (some: readonly number[]) =>
        wall.db.tx(async (tx) => {
          for (const id of some) await changeText(tx, (await lockPost(tx, id))!, `${id} ${'🧱'.repeat(490)}`, 1);
        });
      const start = await positionOf(wall);
      await countChanges(wall, 300);
      assert.equal((await first(start)).reset, false);
      await countChanges(wall, 1);
      const { reset, counts, position } = await first(start);
      assert.deepEqual([reset, counts], [true, []]);
      await edit(ids.slice(50));
      await untilPositioned(wall);
      assert.equal((await first(position)).changed.length, 50);
      await edit(ids.slice(0, 50));
      await untilPositioned(wall);
      const long = await first(position);
      assert.deepEqual([long.reset, long.changed], [true, []]);
    });

    test('contain what was written since the last reading, and nothing of a deleted account', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const { id } = await publish(anna, 'прежний текст');
      const start = await positionOf(wall);
      const texts = async (): Promise<string[]> => {
        await untilPositioned(wall);
        const { json } = await wall.get(`/api/v1/events?after=${start}`);
        return json.changed.map(({ text }: { text: string }) => text);
      };
      for (const text of ['новый текст', 'ещё новее']) {
        await anna.send('PATCH', `/posts/${id}`, { text });
        assert.deepEqual([await texts(), await texts()], [[text], [text]]);
      }
      await deleteAccount(wall, anna);
      assert.deepEqual(await texts(), []);
    });
  });
}
