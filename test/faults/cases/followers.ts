import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createClient } from '#client/create-client.ts';
import { recount } from '../../../server/commands/verify-data/recount.ts';
import { createPost } from '../../../server/features/posts/post-writes.ts';
import { count, median } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { userRow } from '../../kit/create-user.ts';
import { shownPost } from '../../kit/shown-post.ts';
import { newUser, now, signedIn } from '../../kit/signed-in.ts';
import { type Fault, holds, until, within } from '../fault.ts';
import { openWallOverHttp, type WallOverHttp } from '../kit/wall-over-http.ts';

const followers = 10_000;
const rounds = 24;
/** In every such round a process is killed while the followers are being notified. */
const killEvery = 2;
const notifiedWithinMs = 10_000;
const slowerAtMost = 1.3;

/** A reply in a discussion that very many people follow, over three processes of which one is killed now and then. */
export const manyFollowers: Fault = {
  name: 'followers',
  shortFormIn: 'server/features/notifications/followers.test.ts',
  run: replyToMany,
};

async function replyToMany(): Promise<Figure[]> {
  await using wall = await openWallOverHttp('postgres', { RATE_LIMITS: 'off' });
  const { db } = wall;
  const [anna, boris] = [await newUser(db, 'anna_petrova'), await newUser(db, 'boris')];
  const { token } = await signedIn(db, boris);
  const rootOf = () => db.tx((tx) => createPost(tx, { userId: anna, text: 'запись', now: now() }));
  const [usual, followed] = [await rootOf(), await rootOf()];
  await addFollowers(wall, followed);
  // Autovacuum does this within a minute. Before, plans are made for empty tables and read all people for each follower.
  await sql`analyze`.execute(db.read);

  const reply = async (to: number, round: number): Promise<[id: number, ms: number]> => {
    const { address } = wall.servers[round % wall.servers.length]!;
    const from = performance.now();
    const call = createClient({ baseUrl: address, token });
    const { id } = shownPost(
      await call('POST /posts/{id}/replies', { params: { id: String(to) }, body: { text: `ответ ${round}` } }),
    );
    return [Number(id), performance.now() - from];
  };

  const ms = { usual: [] as number[], followed: [] as number[], notified: [] as number[] };
  let takenOver = 0;
  for (let round = 0; round < rounds; round += 1) {
    // A process that has just started is slower, so some replies come before the measured ones.
    for (let i = 0; i < 3; i += 1) await reply(usual, round);
    const first = round % 2 === 0;
    if (first) ms.usual.push((await reply(usual, round))[1]);
    const [id, acknowledged] = await reply(followed, round);
    ms.followed.push(acknowledged);
    const from = performance.now();
    if (!first) ms.usual.push((await reply(usual, round))[1]);
    let replaced: Promise<void> | undefined;
    if (round % killEvery === 1) {
      while ((await notifiedOf(wall, id)) < 2) await sleep(5);
      replaced = wall.replace((round >> 1) % wall.servers.length);
    }
    if ((await untilTold(wall, id)) && replaced) takenOver += 1;
    ms.notified.push(performance.now() - from);
    await replaced;
  }
  const wrong = await wrongNumbers(wall);
  const differences = await Array.fromAsync(recount(db.read));
  const ratio = median(ms.followed) / median(ms.usual);
  const slowest = Math.max(...ms.notified);
  const of = `${rounds} replies, ${count(followers)} followers, 3 processes`;
  return [
    holds(
      `a reply that many are notified of is acknowledged: ${of}`,
      ratio <= slowerAtMost,
      `${ratio.toFixed(2)} × the usual time`,
      `≤ ${slowerAtMost}`,
    ),
    within(
      'whole',
      `all are notified: ${of}`,
      slowest,
      notifiedWithinMs,
      `${takenOver} ended the run that notified them`,
    ),
    none(`notified twice, or under a wrong number: ${of}`, wrong, 'wrong', ''),
    none(`counts that differ when recounted: ${of}`, differences.length, 'differ', JSON.stringify(differences)),
  ];
}

async function addFollowers({ db }: WallOverHttp, rootId: number): Promise<void> {
  const part = 1_000;
  for (let from = 0; from < followers; from += part) {
    const people = Array.from({ length: part }, (_, i) => userRow({ username: `follower_${from + i}`, now: 1 }));
    await db.tx(async (tx) => {
      const added = await tx.db.insertInto('users').values(people).returning('id').execute();
      const follows = added.map(({ id }) => ({ root_post_id: rootId, user_id: id, following: 1 }));
      await tx.db.insertInto('follows').values(follows).execute();
    });
  }
}

async function notifiedOf({ db }: WallOverHttp, postId: number): Promise<number> {
  const { n } = await db.read
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('post_id', '=', postId)
    .executeTakeFirstOrThrow();
  return n;
}

/** Resolves when everybody has been notified, or much too late; true when the job was started more than once. */
async function untilTold(wall: WallOverHttp, postId: number): Promise<boolean> {
  let runs = 1;
  const areTold = async (): Promise<boolean> => {
    const job = await wall.db.read
      .selectFrom('jobs')
      .select('attempts')
      .where('name', '=', 'tell-followers')
      .where('key', '=', String(postId))
      .executeTakeFirst();
    runs = Math.max(runs, job?.attempts ?? 0);
    return (await notifiedOf(wall, postId)) === followers + 1;
  };
  await until(areTold, { withinMs: 3 * notifiedWithinMs, everyMs: 20 });
  return runs > 1;
}

/** People whose numbers are not exactly those from 1 to the number of their notifications. */
async function wrongNumbers({ db }: WallOverHttp): Promise<number> {
  const people = await db.read
    .selectFrom('users as u')
    .leftJoin('notifications as n', 'n.user_id', 'u.id')
    .select((eb) => [
      'u.id',
      'u.notifications_made as made',
      eb.fn.count<number>('n.no').as('n'),
      eb.fn.max('n.no').as('last'),
    ])
    .groupBy(['u.id', 'u.notifications_made'])
    .execute();
  return people.filter(({ made, n, last }) => n !== made || (last ?? 0) !== made).length;
}
