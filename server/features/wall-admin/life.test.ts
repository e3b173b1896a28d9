import assert from 'node:assert/strict';
import type { Day } from '#contract/wall-admin.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import type { Wall } from '../../../test/kit/wall.ts';
import { deleteUser } from '../account/account-store.ts';
import { giveAccount, importedEmail } from '../moderation/claims.ts';
import { lifeOf } from './life.ts';

const day = 86_400;
/** A midnight in UTC. */
const midnight = 19_700 * day;

const onWall = onWalls({ RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: String(90 * day) });

type Figures = [posts: number, replies: number, writers: number, newcomers: number, answered: number];

const figuresOf = ({ posts, replies, writers, newcomers, answered }: Day): Figures => [
  posts,
  replies,
  writers,
  newcomers,
  answered,
];

/** The days that are not empty, by their distance from midnight. */
async function lived({ db, clock }: Pick<Wall, 'db' | 'clock'>): Promise<Record<number, Figures>> {
  const days = await lifeOf(db, () => clock.now)(90);
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

onWall('imported people come when they claim their account', async (wall) => {
  wall.clock.now = midnight + 60;
  const anna = await wall.person('anna');
  await wall.db.tx(({ db }) =>
    db
      .updateTable('users')
      .set({ email: importedEmail(anna) })
      .where('id', '=', anna)
      .execute(),
  );
  await wall.post(anna, 'Из архива');
  assert.deepEqual(await lived(wall), { 0: [1, 0, 1, 0, 0] });
  await wall.db.tx((tx) => giveAccount(tx, anna, { email: 'anna@example.org', at: wall.clock.now }));
  assert.deepEqual(await lived(wall), { 0: [1, 0, 1, 1, 0] });
});

onWall('posts are counted whatever the order of their times, and only those of 90 days', async (wall) => {
  wall.clock.now = midnight + 60;
  const [anna, boris] = [await wall.person('anna'), await wall.person('boris')];
  const rows = Array.from({ length: 400 }, (_, i) => ({
    user_id: i % 2 ? anna : boris,
    text: 'x',
    created_at: midnight + 2 * day - (i % 100) * day,
    parent_post_id: null,
    replied_post_id: null,
  }));
  await wall.db.tx(({ db }) => db.insertInto('all_posts').values(rows).execute());
  const days = await lifeOf(wall.db, () => wall.clock.now)(90);
  assert.deepEqual(days.map(figuresOf), [...Array.from({ length: 89 }, () => [4, 0, 1, 0, 0]), [4, 0, 1, 2, 0]]);
});

onWall('the days are counted once a minute', async (wall) => {
  wall.clock.now = midnight + 60;
  const anna = await wall.person('anna');
  const life = lifeOf(wall.db, () => wall.clock.now);
  const posts = async () => (await life(30)).at(-1)!.posts;
  assert.equal(await posts(), 0);
  await wall.post(anna, 'Первая');
  assert.equal(await posts(), 0);
  wall.clock.now += 60;
  assert.equal(await posts(), 1);
});
