import assert from 'node:assert/strict';
import {
  deleteAccount,
  type Member,
  notificationsOf,
  notifiedOf,
  outcome,
  publish,
  register,
  replyTo,
  signInElsewhere,
} from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import type { Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { blockUser } from '../moderation/moderation-store.ts';

const onWall = onWalls({ RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });

/** People who are no newcomers any more: a newcomer may mention only two people in a post. */
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

onWall('a post is listed with its kind and with the root posts that are left, each once', async (wall) => {
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

onWall(
  'a post mentions nobody by an address, a link, a longer name or an edit, and the first ten names only',
  async (wall) => {
    const notified = 10;
    const [boris, ...named] = (await people(wall, notified + 2)) as [Member, ...Member[]];
    const anna = named[0]!;
    const { id } = await publish(boris, `a@${anna.username} https://a.org/@${anna.username} @${anna.username}a_b`);
    await boris.send('PATCH', `/posts/${id}`, { text: `@${anna.username}` });
    assert.deepEqual(await notifiedOf(anna), []);
    await publish(boris, `@nobody_of_this_name ${anna.username}`);
    const text = named.map(({ username }) => `@${username}`).join(' ');
    await publish(boris, `${text.toUpperCase()} @${anna.username}`);
    const counts = await Promise.all(named.map(async (person) => (await notifiedOf(person)).length));
    assert.deepEqual(counts, [...Array.from({ length: notified }, () => 1), 0]);
  },
);

onWall('a post notifies nobody who is blocked, has deleted the account, or wrote it', async (wall) => {
  const [anna, boris, vera, gleb] = (await people(wall, 4)) as [Member, Member, Member, Member];
  const { id: root } = await publish(anna, 'запись');
  await replyTo(vera, root);
  await follow(gleb, root);
  await wall.db.tx((tx) => blockUser(tx, Number(gleb.id), 'правила', 1));
  await deleteAccount(wall, vera);
  await replyTo(boris, root, `@${gleb.username} @${vera.username} @${boris.username}`);
  const notified = wall.db.read.selectFrom('notifications').select('user_id').where('author_id', '=', +boris.id);
  assert.deepEqual(await notified.execute(), [{ user_id: Number(anna.id) }]);
  await runJobs(wall.db, wall.clock.now + 100);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
});

onWall('following a discussion by replying is a setting', async (wall) => {
  const [anna, boris] = (await people(wall, 2)) as [Member, Member];
  const { id: root } = await publish(anna, 'запись');
  const path = '/users/current/notification-settings';
  const settings = async () => (await boris.send('GET', path)).json();
  const letters = { best_weekly: false, replies_at_once: false, wall_daily: false };
  const first = { follow_replied: true, digest: 'off', ...letters };
  assert.deepEqual(await settings(), first);
  const chosen = {
    follow_replied: false,
    digest: 'weekly',
    best_weekly: true,
    replies_at_once: true,
    wall_daily: true,
  };
  assert.deepEqual((await boris.send('PUT', path, chosen)).json(), chosen);
  const { follow_replied, digest } = chosen;
  assert.deepEqual(
    (await boris.send('PUT', path, { follow_replied, digest })).json(),
    chosen,
    'others stay as they were',
  );
  assert.deepEqual(await settings(), chosen);
  await replyTo(boris, root);
  assert.equal(await follow(boris, root, 'GET'), false);
  await follow(boris, root);
  await replyTo(boris, root);
  assert.equal(await follow(boris, root, 'GET'), true);
  for (const body of [{}, { follow_replied: 1, digest: 'off' }, { ...chosen, digest: 'hourly' }, { digest: 'off' }]) {
    assert.deepEqual(await outcome(boris.send('PUT', path, body)), [400, 'INVALID_REQUEST']);
  }
  assert.deepEqual((await anna.send('GET', path)).json(), first);
});

const read = (person: Member, upTo: string) => person.send('PUT', '/users/current/notifications/read', { up_to: upTo });

onWall('notifications are marked as read from several devices at once, and stay read', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const root = (await publish(anna, 'запись')).id;
  const [first, second, third] = [
    await replyTo(boris, root, 'раз'),
    await replyTo(boris, root, 'два'),
    await replyTo(boris, root, 'три'),
  ];
  await Promise.all([read(anna, third), read(anna, first), read(anna, second)]);
  assert.equal((await notificationsOf(anna)).unread, 0);
  assert.equal((await notificationsOf(await signInElsewhere(wall, anna))).unread, 0);
  for (const missing of [root, '999999', 'нет', '']) {
    assert.deepEqual(await outcome(read(anna, missing)), [404, 'NOT_FOUND'], missing);
  }
  for (const body of [{}, { up_to: 5 }, { up_to: first, more: 1 }]) {
    assert.deepEqual(await outcome(anna.send('PUT', '/users/current/notifications/read', body)), [
      400,
      'INVALID_REQUEST',
    ]);
  }
});

onWall('notifications are all counted when people reply to each other at once', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const [hers, his] = [(await publish(anna, 'её')).id, (await publish(boris, 'его')).id];
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? replyTo(anna, his, `${i}`) : replyTo(boris, hers, `${i}`))),
  );
  for (const person of [anna, boris]) {
    const { total, unread } = await notificationsOf(person);
    assert.deepEqual([total, unread], [10, 10]);
  }
  const vitals = wall.db.vitals();
  if (vitals.engine === 'postgres') assert.equal(vitals.repeats, 0, 'no transaction waits for one that waits for it');
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
});
