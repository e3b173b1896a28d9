import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { choose, day, lettersNow, tuesday } from '../../../test/kit/digest.ts';
import { publish, putWord, register } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import type { Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { blockUser, unblockUser } from '../moderation/moderation-store.ts';
import { likePost, unlikePost } from '../posts/likes.ts';

const onWall = onWalls();

const like = (wall: Wall, postId: number, userId: number) =>
  wall.db.tx((tx) => likePost(tx, { postId, userId, now: wall.clock.now }));

/** The list after a run of the jobs. A recount finds no difference then. */
async function best(wall: Wall, query = ''): Promise<{ ids: number[]; next: string | null }> {
  wall.clock.now += 60;
  await runJobs(wall.db, wall.clock.now);
  for await (const { what } of recount(wall.db.read)) assert.fail(what);
  const { posts, next } = (await wall.get(`/api/v1/posts/best?${query}`)).json;
  return { ids: posts.map(({ id }: { id: string }) => Number(id)), next };
}

onWall('the best posts are in the order of the people who like them or have answered, each once', async (wall) => {
  const people: number[] = [];
  for (const name of ['anna', 'boris', 'clara', 'denis']) people.push(await wall.person(name));
  const [anna, boris, clara, denis] = people as [number, number, number, number];
  const [liked, own, few] = [await wall.post(anna, 'a'), await wall.post(anna, 'b'), await wall.post(boris, 'c')];
  const answered = await wall.reply(boris, liked, 'd');
  await like(wall, liked, clara);
  for (const by of [anna, anna, clara, denis]) await wall.reply(by, answered, 'e');
  for (const by of [anna, clara]) await like(wall, answered, by);
  // The author does not count, and another person counts once.
  for (const by of [anna, boris]) await like(wall, own, by);
  await wall.reply(boris, own, 'f');
  await like(wall, few, anna);
  assert.deepEqual((await best(wall)).ids, [answered, liked]);

  const first = await best(wall, 'limit=1&period=all');
  assert.deepEqual(first, { ids: [answered], next: `3-${answered}` });
  assert.deepEqual(await best(wall, `limit=1&period=all&cursor=${first.next}`), { ids: [liked], next: null });
  for (const query of ['cursor=x', 'cursor=1-0x', 'period=day']) {
    assert.equal((await wall.get(`/api/v1/posts/best?${query}`)).status, 400, query);
  }

  await like(wall, few, denis);
  await wall.db.tx((tx) => unlikePost(tx, { postId: liked, userId: clara, now: wall.clock.now }));
  assert.deepEqual((await best(wall)).ids, [answered, few], 'likes come and go');
});

onWall('the best posts are those that everybody may see', async (wall) => {
  const people: number[] = [];
  for (const name of ['anna', 'boris', 'clara', 'denis']) people.push(await wall.person(name));
  const [anna, boris, clara, denis] = people as [number, number, number, number];
  const [first, second, third] = [await wall.post(anna, 'a'), await wall.post(anna, 'b'), await wall.post(boris, 'c')];
  for (const id of [first, second, third]) for (const by of [clara, denis]) await like(wall, id, by);
  const shown = async (): Promise<number[]> =>
    (await wall.get('/api/v1/posts/best')).json.posts.map(({ id }: { id: string }) => Number(id));
  assert.deepEqual((await best(wall)).ids, [third, second, first]);

  await wall.remove(first);
  await removePost(wall, String(second));
  await wall.db.tx((tx) => blockUser(tx, boris, 'спам', wall.clock.now));
  assert.deepEqual(await shown(), [], 'at once');
  assert.deepEqual((await best(wall)).ids, []);
  await restore(wall, String(second));
  await wall.db.tx((tx) => unblockUser(tx, boris));
  assert.deepEqual((await best(wall)).ids, [third, second]);

  await wall.db.tx(async (tx) => {
    await tx.db.updateTable('users').set({ deleted_at: wall.clock.now }).where('id', '=', anna).execute();
    tx.touch(`user:${anna}`);
  });
  assert.deepEqual(await shown(), [third]);
  assert.deepEqual((await best(wall)).ids, [third]);
});

onWall('a post leaves the best of the week and of the month when these are over', async (wall) => {
  const people: number[] = [];
  for (const name of ['anna', 'boris', 'clara']) people.push(await wall.person(name));
  const id = await wall.post(people[0]!, 'запись');
  for (const by of people) await like(wall, id, by);
  const periods = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const period of ['week', 'month', 'all'])
      if ((await best(wall, `period=${period}`)).ids.length > 0) found.push(period);
    return found;
  };
  assert.deepEqual(await periods(), ['week', 'month', 'all']);
  wall.clock.now += 7 * day;
  assert.deepEqual(await periods(), ['month', 'all']);
  wall.clock.now += 23 * day;
  assert.deepEqual(await periods(), ['all']);
});

onWall('the best posts are found again where the log of changes has been cleared up', async (wall) => {
  const people: number[] = [];
  for (const name of ['anna', 'boris', 'clara']) people.push(await wall.person(name));
  const ids: number[] = [];
  for (let i = 0; i < 130; i += 1) ids.unshift(await wall.post(people[0]!, `запись ${i}`));
  assert.deepEqual((await best(wall, 'limit=50')).ids, []);
  for (const id of [ids[0]!, ids[120]!]) for (const by of people) await like(wall, id, by);
  await wall.db.tx(({ db }) =>
    sql`delete from changes where position < (select max(position) from changes)`.execute(db),
  );
  assert.deepEqual((await best(wall, 'limit=50')).ids, [ids[0], ids[120]]);
});

onWall('the best posts are not all counted again at the first change in an empty log', async (wall) => {
  const people: number[] = [];
  for (const name of ['anna', 'boris', 'clara']) people.push(await wall.person(name));
  const [early, liked] = [await wall.post(people[0]!, 'раз'), await wall.post(people[0]!, 'два')];
  for (const by of people) await like(wall, early, by);
  await wall.db.tx(({ db }) => sql`delete from changes where kind <> 'read'`.execute(db));
  assert.deepEqual((await best(wall)).ids, [early]);
  // Only a count of all posts would find it again.
  await wall.db.tx(async (tx) => {
    await tx.db.deleteFrom('best_posts').where('post_id', '=', early).execute();
    tx.touch('best');
  });
  for (const by of people) await like(wall, liked, by);
  wall.clock.now += 60;
  await runJobs(wall.db, wall.clock.now);
  const { posts } = (await wall.get('/api/v1/posts/best')).json;
  assert.deepEqual(
    posts.map(({ id }: { id: string }) => Number(id)),
    [liked],
  );
});

onWalls({ RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: String(90 * day) })(
  'the letter with the best of the week comes once to who wants it, and ends by one request',
  async (wall) => {
    wall.clock.now = tuesday;
    const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
    const settings = async () => (await anna.send('GET', '/users/current/notification-settings')).json();
    const otherLetters = { replies_at_once: false, wall_daily: false };
    const want = { follow_replied: false, digest: 'weekly', best_weekly: true, ...otherLetters };
    assert.deepEqual((await anna.send('PUT', '/users/current/notification-settings', want)).json(), want);
    await choose(anna, 'off');
    assert.equal((await settings()).best_weekly, true, 'a program that does not know it leaves it');
    await lettersNow(wall, anna);
    wall.clock.now += 7 * day;
    assert.deepEqual(await lettersNow(wall, anna), [], 'nothing to tell');

    const byClara = await publish(clara, 'От Клары');
    const byBoris = await publish(boris, 'От Бориса');
    const advert = await publish(boris, 'Реклама');
    for (const { id } of [byClara, byBoris, advert]) {
      for (const person of [anna, boris, clara]) await person.send('POST', `/posts/${id}/likes`);
    }
    await anna.send('PUT', `/users/current/mutes/${clara.id}`);
    await putWord(anna, 'рекламу', 'hide');
    await runJobs(wall.db, wall.clock.now);
    wall.clock.now += 6 * day;
    const [letter, ...others] = await lettersNow(wall, anna);
    assert.deepEqual(others, []);
    assert.match(letter!.text, /От Бориса/);
    assert.doesNotMatch(letter!.text, /От Клары|Реклама/);
    assert.deepEqual(await lettersNow(wall, anna), []);
    assert.deepEqual(await lettersNow(wall, boris), []);

    await choose(anna, 'daily');
    const url = /^List-Unsubscribe:\s+<http:\/\/localhost:3000(\S+)>/im.exec(letter!.source)![1]!;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const oneClick = { method: 'POST', url, headers, payload: 'List-Unsubscribe=One-Click' } as const;
    assert.equal((await wall.app.inject(oneClick)).statusCode, 200);
    assert.deepEqual(await settings(), { follow_replied: true, digest: 'daily', best_weekly: false, ...otherLetters });
    const forged = url.replace('token=best.', 'token=');
    assert.equal((await wall.app.inject({ ...oneClick, url: forged })).statusCode, 404);
  },
);
