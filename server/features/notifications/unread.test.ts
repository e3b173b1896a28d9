import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { liveWall, reader } from '../../../test/kit/live-wall.ts';
import { type Member, notificationsOf, publish, register, replyTo, signInElsewhere } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { storedThreads } from '../reading/reading-store.ts';

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'what is unread');

const visit = (by: Member, root: string, upTo: string) =>
  by.send('PUT', '/users/current/reading', { list: `thread:${root}`, post_id: upTo });

const readUpTo = (by: Member, id: string) => by.send('PUT', '/users/current/notifications/read', { up_to: id });

/** The bell, the unread notifications, newest first, and what is new in the followed discussions. */
async function unreadOf(by: Member): Promise<[bell: number, ids: string[], newIn: Record<string, number>]> {
  const { posts, news, unread } = await notificationsOf(by);
  const { discussions } = (await by.send('GET', '/users/current/following')).json();
  const counts = discussions.map((each: { post: { id: string }; new_count: number }) => [each.post.id, each.new_count]);
  assert.equal((await by.send('GET', '/events')).json().unread, unread);
  return [unread, posts.map(({ id }) => id).filter((_, i) => news[i]), Object.fromEntries(counts)];
}

onWall('is the same in the list, in discussions and on the bell, and is read in any of them', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const [one, two] = [(await publish(anna, 'раз')).id, (await publish(anna, 'два')).id];
  const [a, b, c, d] = [
    await replyTo(boris, one),
    await replyTo(boris, two),
    await replyTo(boris, one),
    await replyTo(boris, one),
  ];
  const own = await replyTo(anna, one);
  assert.deepEqual(await unreadOf(anna), [4, [d, c, b, a], { [one]: 3, [two]: 1 }]);

  const phone = await signInElsewhere(wall, anna);
  await visit(anna, one, c);
  assert.deepEqual(await unreadOf(phone), [2, [d, b], { [one]: 1, [two]: 1 }]);
  await visit(anna, one, a);
  assert.equal((await unreadOf(anna))[0], 2, 'never back');

  await readUpTo(phone, b);
  assert.deepEqual(await unreadOf(anna), [1, [d], { [one]: 1, [two]: 0 }]);
  const at = async (root: string) => (await anna.send('GET', `/users/current/reading?thread=${root}`)).json().thread;
  assert.deepEqual([await at(one), await at(two)], [c, b]);
  await visit(anna, one, own);
  assert.deepEqual(await unreadOf(anna), [0, [], { [one]: 0, [two]: 0 }]);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
});

onWall('follows what is withdrawn, taken back and muted, and stays read', async (wall) => {
  const [anna, boris, vera] = [await register(wall), await register(wall), await register(wall)];
  const { id: root } = await publish(anna, 'запись');
  const [a, b] = [await replyTo(boris, root), await replyTo(boris, root)];
  const c = await replyTo(vera, root);
  await boris.send('DELETE', `/posts/${b}`);
  assert.deepEqual(await unreadOf(anna), [2, [c, a], { [root]: 2 }]);
  await anna.send('PUT', `/users/current/mutes/${boris.id}`);
  assert.deepEqual(await unreadOf(anna), [1, [c], { [root]: 1 }]);
  await boris.send('POST', `/posts/${b}/restoration`);
  assert.deepEqual(await unreadOf(anna), [1, [c], { [root]: 1 }]);
  await anna.send('DELETE', `/users/current/mutes/${boris.id}`);
  assert.deepEqual(await unreadOf(anna), [3, [c, b, a], { [root]: 3 }]);
  await boris.send('DELETE', `/posts/${b}`);
  await visit(anna, root, b);
  await boris.send('POST', `/posts/${b}/restoration`);
  assert.deepEqual(await unreadOf(anna), [1, [c], { [root]: 1 }], 'read before it returned');

  // The position in a discussion with notifications is kept, however many others the person reads later.
  await readUpTo(anna, c);
  const other = Array.from({ length: storedThreads }, (_, i) => ({
    user_id: Number(anna.id),
    list: 1_000_000 + i,
    post_id: 1,
    updated_at: wall.clock.now + 1,
  }));
  await wall.db.tx(({ db }) => db.insertInto('reading_positions').values(other).execute());
  const { id: last } = await publish(boris, 'другая');
  await visit(anna, last, last);
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await unreadOf(anna), [0, [], { [root]: 0 }]);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
});

for (const engine of engines) {
  test(`what is read in one place is read on the other device on ${engine}`, async (t) => {
    const wall = await liveWall(t, engine, { RATE_LIMITS: 'off' });
    const [anna, boris] = [await register(wall), await register(wall)];
    const { id: root } = await publish(anna, 'запись');
    const [first, second] = [await replyTo(boris, root), await replyTo(boris, root)];
    const phone = await signInElsewhere(wall, anna);
    const stream = await reader(t, wall.url, { authorization: `Bearer ${phone.token}` });
    assert.equal(stream.received[0]!.changes.unread, 2);
    const lastOf = <Name extends 'unread' | 'reading'>(name: Name) =>
      stream.received.map(({ changes }) => changes[name]).findLast((value) => value !== undefined);
    await visit(anna, root, first);
    await stream.until(() => lastOf('unread') === 1);
    await readUpTo(anna, second);
    await stream.until(() => lastOf('unread') === 0 && lastOf('reading')?.[0]?.post_id === second);
  });
}

onWall('is right after people have replied, read, deleted and muted at once', async (wall) => {
  const people = [await register(wall), await register(wall), await register(wall)];
  const roots: string[] = [];
  for (const person of people) roots.push((await publish(person, 'запись')).id);
  for (let round = 0; round < 12; round += 1) {
    const acts = people.flatMap((person, i) => {
      const [root, other] = [roots[round % 3]!, people[(i + 1) % 3]!];
      const deletesOwn = async () => person.send('DELETE', `/posts/${await replyTo(person, root)}`);
      const reads = async () => {
        const { posts } = await notificationsOf(person);
        await visit(person, root, await replyTo(other, root));
        if (posts[2]) await readUpTo(person, posts[2].id);
      };
      const mute = async () => person.send(round % 2 === 0 ? 'PUT' : 'DELETE', `/users/current/mutes/${other.id}`);
      return [replyTo(person, root), reads(), deletesOwn(), i === 0 ? mute() : Promise.resolve()];
    });
    await Promise.all(acts);
  }
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
  await publish(people[0]!, `@${people[1]!.username}`);
  assert.ok((await unreadOf(people[1]!))[0] > 0);
});

onWall('is counted again by verify-data', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const { id: root } = await publish(anna, 'запись');
  await replyTo(boris, root);
  const id = Number(anna.id);
  const found = async () =>
    (await Array.fromAsync(recount(wall.db.read))).map(({ what, stored, counted }) => [what, stored, counted]);
  await wall.db.tx(({ db }) => db.updateTable('users').set({ unseen_removals: 4 }).where('id', '=', id).execute());
  await wall.db.tx(({ db }) => db.updateTable('reading_positions').set({ unread: 3 }).execute());
  assert.deepEqual(await found(), [
    ['reading_positions.unread', 3, 1],
    ['users.unread_count', 1, 3],
    ['users.unseen_removals', 4, 0],
  ]);
  await wall.db.tx(({ db }) => db.deleteFrom('reading_positions').execute());
  assert.equal((await found())[0]![0], 'notifications: нет строки обсуждения');
});
