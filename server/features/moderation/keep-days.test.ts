import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Day } from '#contract/wall-admin.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { engines, openFresh } from '../../../test/kit/engines.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { settingsOf } from '../../../test/kit/server-process.ts';
import type { Wall } from '../../../test/kit/wall.ts';
import { runImport } from '../../commands/import/run-import.ts';
import { type Difference, recount } from '../../commands/verify-data/recount.ts';
import type { Database } from '../../db/database.ts';
import { changeState } from '../posts/post-states.ts';
import { createPost, lockPost } from '../posts/post-writes.ts';
import { deleteUser } from '../account/account-store.ts';
import { giveAccount } from './claims.ts';
import { keepDays, listDays } from './keep-days.ts';

const day = 86_400;
/** A midnight in UTC. */
const midnight = 19_700 * day;

const onWall = onWalls({ RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: String(90 * day) });

async function differences(db: Database): Promise<Difference[]> {
  const found: Difference[] = [];
  for await (const difference of recount(db.read)) found.push(difference);
  return found;
}

type Figures = [posts: number, replies: number, writers: number, newcomers: number, answered: number];

const figuresOf = ({ posts, replies, writers, newcomers, answered }: Day): Figures => [
  posts,
  replies,
  writers,
  newcomers,
  answered,
];

/** The days that are not empty, by their distance from midnight, after a run of the jobs that leaves nothing to count again. */
async function lived({ db, clock }: Pick<Wall, 'db' | 'clock'>): Promise<Record<number, Figures>> {
  clock.now += 60;
  await runJobs(db, clock.now);
  assert.deepEqual(await differences(db), []);
  const days = await listDays(db.read, { now: clock.now, days: 90 });
  return Object.fromEntries(
    days
      .filter((row) => figuresOf(row).some((figure) => figure > 0))
      .map((row) => [(row.day - midnight) / day, figuresOf(row)]),
  );
}

onWall('a day says what was written on it, who came, and who got an answer within a day', async (wall) => {
  wall.clock.now = midnight - day;
  const owner = await registerModerator(wall, 'owner');
  wall.clock.now = midnight + 60;
  const [anna, boris] = [await register(wall), await register(wall)];
  assert.deepEqual(await lived(wall), { '-1': [0, 0, 0, 1, 0], 0: [0, 0, 0, 2, 0] }, 'nobody has written yet');

  const hello = await publish(anna, 'Здравствуйте');
  await publish(anna, 'Себе', `/posts/${hello.id}/replies`);
  const late = await publish(boris, 'Кто здесь?');
  assert.deepEqual(await lived(wall), { '-1': [0, 0, 0, 1, 0], 0: [2, 1, 2, 2, 0] });

  wall.clock.now = midnight + day + 30;
  const welcome = await publish(owner, 'Добро пожаловать', `/posts/${hello.id}/replies`);
  const answered = { '-1': [0, 0, 0, 1, 0], 0: [2, 1, 2, 2, 1], 1: [0, 1, 1, 0, 0] };
  assert.deepEqual(await lived(wall), answered);
  await publish(anna, 'Спасибо', `/posts/${welcome.id}/replies`);
  const thanked = { '-1': [0, 0, 0, 1, 1], 0: [2, 1, 2, 2, 1], 1: [0, 2, 2, 0, 0] };
  assert.deepEqual(await lived(wall), thanked, 'long after the owner had come');
  wall.clock.now = midnight + 2 * day;
  await publish(owner, 'Мы', `/posts/${late.id}/replies`);
  await publish(boris, 'Ага', `/posts/${late.id}/replies`);
  assert.deepEqual(await lived(wall), { ...thanked, 2: [0, 2, 2, 0, 0] }, 'too late');

  const asked = await owner.send('GET', '/keep/life');
  const { days } = asked.json() as { days: Day[] };
  assert.deepEqual([days.length, days.at(-1)!.day], [30, midnight + 2 * day]);
  assert.deepEqual(days.slice(-4).map(figuresOf), [
    [0, 0, 0, 1, 1],
    [2, 1, 2, 2, 1],
    [0, 2, 2, 0, 0],
    [0, 2, 2, 0, 0],
  ]);
  assert.equal((await owner.send('GET', '/keep/life?days=90')).json().days.length, 90);
  assert.equal((await owner.send('GET', '/keep/life?days=31')).statusCode, 400);

  await wall.remove(Number(welcome.id));
  const withdrawn = { '-1': [0, 0, 0, 1, 0], 0: [2, 1, 2, 2, 0], 1: [0, 1, 1, 0, 0], 2: [0, 2, 2, 0, 0] };
  assert.deepEqual(await lived(wall), withdrawn, 'the first post of the owner is another one now');
});

onWall('what is deleted or removed leaves its day, and comes back to it', async (wall) => {
  wall.clock.now = midnight + 60;
  const [anna, boris] = [await register(wall), await register(wall)];
  const first = await publish(anna, 'Первая');
  const reply = await publish(boris, 'Ответ', `/posts/${first.id}/replies`);
  const whole = { 0: [1, 1, 2, 2, 1] };
  assert.deepEqual(await lived(wall), whole);

  wall.clock.now = midnight + day;
  await boris.send('DELETE', `/posts/${reply.id}`);
  assert.deepEqual(await lived(wall), { 0: [1, 0, 1, 2, 0] });
  await boris.send('POST', `/posts/${reply.id}/restoration`);
  assert.deepEqual(await lived(wall), whole, 'its author has restored it');
  await removePost(wall, first.id);
  assert.deepEqual(await lived(wall), { 0: [0, 1, 1, 2, 0] });
  await restore(wall, first.id);
  assert.deepEqual(await lived(wall), whole, 'a keeper has restored it');

  await boris.send('DELETE', `/posts/${reply.id}`);
  wall.clock.now += 600;
  assert.deepEqual(await lived(wall), { 0: [1, 0, 1, 2, 0] });
  await anna.send('DELETE', `/posts/${first.id}`);
  wall.clock.now += 600;
  assert.deepEqual(await lived(wall), { 0: [0, 0, 0, 2, 0] }, 'the last post of the wall');
});

onWall('an account that is deleted leaves the day on which the person came', async (wall) => {
  wall.clock.now = midnight + 60;
  const [anna, boris, silent] = [await wall.person('anna'), await wall.person('boris'), await wall.person('silent')];
  const hello = await wall.post(anna, 'Здравствуйте');
  wall.clock.now = midnight + day;
  await wall.reply(boris, hello, 'Привет');
  assert.deepEqual(await lived(wall), { 0: [1, 0, 1, 3, 1], 1: [0, 1, 1, 0, 0] });
  wall.clock.now = midnight + 3 * day;
  await wall.db.tx((tx) => deleteUser(tx, silent, wall.clock.now));
  assert.deepEqual(await lived(wall), { 0: [1, 0, 1, 2, 1], 1: [0, 1, 1, 0, 0] });
  await wall.db.tx((tx) => deleteUser(tx, boris, wall.clock.now));
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await lived(wall), { 0: [1, 0, 1, 1, 0] });
});

onWall('the days are counted again where the log of changes has been cleared up', async (wall) => {
  wall.clock.now = midnight + 60;
  const anna = await wall.person('anna');
  const [kept, gone] = [await wall.post(anna, 'Останется'), await wall.post(anna, 'Исчезнет')];
  wall.clock.now = midnight + day;
  const alone = await wall.post(anna, 'Одна за день');
  assert.deepEqual(await lived(wall), { 0: [2, 0, 1, 1, 0], 1: [1, 0, 1, 0, 0] });
  for (const id of [gone, alone]) await wall.remove(id);
  wall.clock.now = midnight + 2 * day;
  await wall.reply(anna, kept, 'Ещё');
  await wall.db.tx(({ db }) =>
    sql`delete from changes where position < (select max(position) from changes)`.execute(db),
  );
  assert.deepEqual(await lived(wall), { 0: [1, 0, 1, 1, 0], 2: [0, 1, 1, 0, 0] });
});

onWall('a run that was interrupted after any transaction is continued by the next', async (wall) => {
  wall.clock.now = midnight + 60;
  const [anna, boris] = [await wall.person('anna'), await wall.person('boris')];
  // More than one batch of posts.
  await wall.db.tx(async (tx) => {
    const rows = Array.from({ length: 1_200 }, (_, i) => ({
      user_id: i % 2 ? anna : boris,
      text: 'x',
      created_at: midnight - (i % 80) * day,
      parent_post_id: null,
      replied_post_id: null,
    }));
    for (let at = 0; at < rows.length; at += 400)
      await tx.db
        .insertInto('all_posts')
        .values(rows.slice(at, at + 400))
        .execute();
  });
  const job = () =>
    wall.db.read.selectFrom('jobs').select('payload').where('name', '=', 'keep-days').executeTakeFirst();
  let runs = 0;
  const stop = new AbortController();
  /** Runs the job for some transactions, as if the process had then ended. */
  const runFor = async (transactions: number): Promise<boolean> => {
    runs += 1;
    let left = transactions;
    const payload = JSON.parse((await job())?.payload ?? 'null') as unknown;
    try {
      await keepDays(wall.db.read, {
        payload,
        now: wall.clock.now,
        signal: stop.signal,
        tx(work) {
          if (left === 0) throw new Error('ended');
          left -= 1;
          return wall.db.tx(work);
        },
      });
      return true;
    } catch (error) {
      assert.equal((error as Error).message, 'ended');
      return false;
    }
  };
  while (!(await runFor(4)));
  assert.ok(runs > 10, 'it was interrupted often');
  const days = await listDays(wall.db.read, { now: wall.clock.now, days: 90 });
  assert.deepEqual(days.slice(-80).map(figuresOf), [
    ...Array.from({ length: 79 }, () => [15, 0, 1, 0, 0]),
    [15, 0, 1, 2, 0],
  ]);
});

onWall('verify-data finds a wrong figure, and not what the job has still to count', async (wall) => {
  wall.clock.now = midnight + 60;
  const anna = await wall.person('anna');
  const first = await wall.post(anna, 'Первая');
  wall.clock.now = midnight + day;
  await wall.post(anna, 'Вторая');
  await lived(wall);
  const id = midnight / day;
  const set = (row: object) => wall.db.tx(({ db }) => db.updateTable('days').set(row).where('day', '=', id).execute());
  await set({ writers: 7, newcomers: 2 });
  assert.deepEqual(await differences(wall.db), [
    { what: 'days.writers', id, stored: 7, counted: 1 },
    { what: 'days.newcomers', id, stored: 2, counted: 1 },
  ]);
  await set({ stale: 1 });
  assert.deepEqual(await differences(wall.db), [], 'the day is marked');
  await set({ stale: 0 });
  await wall.remove(first);
  assert.deepEqual(await differences(wall.db), [], 'the day is counted at the next run');
  assert.deepEqual(await lived(wall), { 0: [0, 0, 0, 1, 0], 1: [1, 0, 1, 0, 0] });
  await wall.db.tx(({ db }) =>
    db
      .deleteFrom('days')
      .where('day', '=', id + 1)
      .execute(),
  );
  assert.deepEqual(await differences(wall.db), [
    { what: 'days.posts', id: id + 1, stored: 0, counted: 1 },
    { what: 'days.writers', id: id + 1, stored: 0, counted: 1 },
  ]);
});

for (const engine of engines) {
  test(`what is imported while the jobs run belongs to its days, and imported people come when they claim on ${engine}`, async (t) => {
    const { db, storage, close } = await openFresh(engine);
    t.after(close);
    const clock = { now: midnight + day };
    const at = (id: string, date: number, more: object = {}) =>
      `${JSON.stringify({ id, author: 'anna', text: 'x', date, ...more })}\n`;
    const file = join(storage.dataDir, 'file');
    const rows = Array.from({ length: 1_500 }, (_, i) => at(`${i}`, midnight - (i % 3) * day));
    await writeFile(file, [...rows, at('reply', midnight + 5, { author: 'boris', reply_to: '0' })].join(''));
    // The job follows the log before the import. Imported posts are not in the log, so the job has to start anew.
    const post = {
      userId: await db.tx((tx) => createUser(tx, { username: 'old', now: 1 })),
      text: 'x',
      now: clock.now,
    };
    const id = await db.tx((tx) => createPost(tx, post));
    await lived({ db, clock });
    await db.tx(async (tx) => changeState(tx, (await lockPost(tx, id))!, { to: 'gone' }, clock.now));
    await lived({ db, clock });
    const silent = () => {};
    const importing = runImport(['jsonl', file], settingsOf(storage), { print: silent, complain: assert.fail });
    // The job sees a part of the posts.
    for (let i = 0; i < 20; i += 1) await runJobs(db, (clock.now += 60));
    assert.equal(await importing, 0);
    assert.deepEqual(await lived({ db, clock }), {
      [-2]: [500, 0, 1, 0, 0],
      [-1]: [500, 0, 1, 0, 0],
      0: [500, 1, 2, 0, 0],
    });
    const { id: claimedId, created_at: came } = await db.read
      .selectFrom('users')
      .select(['id', 'created_at'])
      .where('display_name', '=', 'anna')
      .executeTakeFirstOrThrow();
    await db.tx((tx) => giveAccount(tx, claimedId, { email: 'anna@example.org', at: clock.now }));
    const claimed = await lived({ db, clock });
    assert.equal(claimed[Math.floor((came - midnight) / day)]![3], 1);
  });
}
