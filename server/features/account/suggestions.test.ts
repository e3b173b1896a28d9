import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Owner } from '#contract/posts.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { changeProfile, deleteUser } from './account-store.ts';
import { suggestPeople } from './suggestion-routes.ts';
import { readingCost } from '../../../test/kit/processor-time.ts';

/** Added to a limit, because processor time is counted in ticks of a few milliseconds. Reading all rows would cost far more. */
const slack = 20;

const ask = (caller: Member, query: Record<string, string | number>) =>
  caller.send('GET', `/users/suggestions?${new URLSearchParams(query as Record<string, string>)}`);

async function suggestedTo(caller: Member, typed: string, postId?: number): Promise<string[]> {
  const response = await ask(caller, { q: typed, ...(postId !== undefined && { post_id: postId }) });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().users.map(({ username }: Owner) => username);
}

async function named(wall: Wall, username: string, name: string): Promise<number> {
  const id = await wall.person(username);
  await wall.db.tx((tx) => changeProfile(tx, id, { display_name: name }));
  return id;
}

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'suggestions of people');

onWall('begin with the people of the discussion, the last to write first', async (wall) => {
  const caller = await register(wall);
  const author = await wall.person('Boris');
  const [bella, bogdan] = [await wall.person('bella'), await wall.person('bogdan')];
  const vera = await named(wall, 'vera_', 'Bобр');
  await wall.person('bagira');
  const root = await wall.post(author, 'корень');
  const reply = await wall.reply(bogdan, root, 'ответ');
  await wall.reply(vera, reply, 'ответ на ответ');
  const gone = await wall.reply(bella, reply, 'удалён');
  await wall.remove(gone);
  await wall.reply(bogdan, root, 'ещё');
  await wall.reply(Number(caller.id), root, 'и я');
  for (const post of [root, reply]) {
    assert.deepEqual(await suggestedTo(caller, '', post), ['bogdan', 'vera_', 'Boris']);
    assert.deepEqual(await suggestedTo(caller, 'b', post), ['bogdan', 'vera_', 'Boris', 'bagira', 'bella']);
    assert.deepEqual(await suggestedTo(caller, 'BO', post), ['bogdan', 'Boris']);
  }
  for (const post of [undefined, gone, 999_999]) {
    assert.deepEqual(await suggestedTo(caller, '', post), []);
    assert.deepEqual(await suggestedTo(caller, 'bo', post), ['bogdan', 'Boris']);
  }
  const users = (await ask(caller, { q: 'vera', post_id: 'nonsense' })).json().users;
  assert.deepEqual(users, [{ id: `${vera}`, username: 'vera_', display_name: 'Bобр', face: null }]);
  assert.deepEqual((await ask(caller, {})).json(), { users: [] });
});

onWall('are found by the beginning of a username or a display name, in any case, with ё as е', async (wall) => {
  const caller = await register(wall);
  const alyona = await named(wall, 'winter', 'Алёна Зима');
  await named(wall, 'alena_k', 'Алена');
  await named(wall, 'autumn', 'Осень, Алёна');
  await named(wall, 'latin', 'alena');
  for (const typed of ['ал', 'АЛЁ', 'але', 'Алёна']) {
    assert.deepEqual(await suggestedTo(caller, typed), ['alena_k', 'winter'], typed);
  }
  assert.deepEqual(await suggestedTo(caller, 'алена з'), ['winter']);
  assert.deepEqual(await suggestedTo(caller, 'Alena'), ['alena_k', 'latin']);
  const root = await wall.post(alyona, 'корень');
  assert.deepEqual(await suggestedTo(caller, 'алё', root), ['winter', 'alena_k']);
  for (const nobody of ['лен', '%', '_', 'яяя', '@']) assert.deepEqual(await suggestedTo(caller, nobody), []);
});

onWall('never include oneself and those who are muted, blocked or deleted', async (wall) => {
  const caller = await register(wall);
  const people = new Map<string, number>();
  for (const name of ['anna_', 'anna_muted', 'anna_blocked', 'anna_deleted']) {
    people.set(name, await named(wall, name, 'Анна'));
  }
  await wall.db.tx((tx) => changeProfile(tx, Number(caller.id), { display_name: 'Анна' }));
  const root = await wall.post(Number(caller.id), 'корень');
  for (const id of people.values()) await wall.reply(id, root, 'ответ');
  await caller.send('PUT', `/users/current/mutes/${people.get('anna_muted')}`);
  await wall.db.tx(async (tx) => {
    await tx.db.updateTable('users').set({ blocked_at: 1 }).where('username', '=', 'anna_blocked').execute();
    await deleteUser(tx, people.get('anna_deleted')!, 1);
  });
  for (const typed of ['anna', 'ан']) {
    assert.deepEqual(await suggestedTo(caller, typed), ['anna_'], typed);
    assert.deepEqual(await suggestedTo(caller, typed, root), ['anna_'], typed);
  }
  assert.deepEqual(await suggestedTo(caller, '', root), ['anna_']);
  assert.deepEqual(await suggestedTo(caller, caller.username), []);
  const other = await register(wall);
  assert.deepEqual(await suggestedTo(other, 'anna'), ['anna_', 'anna_muted']);
});

onWall(`are at most ${limits.suggestions}, for people who have signed in`, async (wall) => {
  const caller = await register(wall);
  const root = await wall.post(await wall.person('person_9'), 'корень');
  for (let i = 0; i < 8; i += 1) {
    const id = await named(wall, `person_${i}`, 'Person');
    assert.deepEqual((await suggestedTo(caller, 'person', root)).length, Math.min(i + 2, limits.suggestions));
    if (i < 3) await wall.reply(id, root, 'ответ');
  }
  const last = await suggestedTo(caller, 'person', root);
  assert.deepEqual(last.join(), 'person_2,person_1,person_0,person_9,person_3');
  for (const q of ['ж'.repeat(32), '😀'.repeat(32)]) assert.deepEqual(await suggestedTo(caller, q), []);
  for (const q of ['ж'.repeat(33), 'a\u0000']) {
    assert.deepEqual(await outcome(ask(caller, { q })), [400, 'INVALID_REQUEST']);
  }
});

for (const engine of engines) {
  test(`suggestions of people cost the same on a large wall and in a long discussion on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
    const [caller, author] = [await wall.person('caller'), await wall.person('author')];
    const reply = async (root: number, replies: number): Promise<number> => {
      for (let written = 0; written < replies; written += 1_000) {
        const rows = Array.from({ length: Math.min(1_000, replies - written) }, (_, i) => ({
          parent_post_id: root,
          replied_post_id: root,
          depth: 1,
          text: 'один из многих',
          created_at: 1,
          user_id: i % 2 ? caller : author,
        }));
        await wall.db.tx(({ db }) => db.insertInto('all_posts').values(rows).execute());
      }
      return root;
    };
    const [short, long] = [await wall.post(author, 'мало'), await wall.post(author, 'много')];
    await reply(short, 200);
    const costOf = (typed: string, postId?: number): Promise<number> =>
      readingCost(wall.db, ({ db }) => suggestPeople({ read: db, engine }, { userId: caller, typed, postId }));
    const inShort = await costOf('', short);
    await reply(long, 6_000);
    await addNamesakes(wall, 200);
    const few = { name: await costOf('p'), display: await costOf('п') };
    await addNamesakes(wall, 20_000);
    const inLong = await costOf('', long);
    assert.ok(inLong < 3 * inShort + slack, `${inLong} against ${inShort}`);
    const [name, display] = [await costOf('p'), await costOf('п')];
    assert.ok(name < 3 * few.name + slack, `${name} against ${few.name}`);
    assert.ok(display < 3 * few.display + slack, `${display} against ${few.display}`);
  });
}

/** Adds people who begin alike and are blocked, all with the same display name. */
async function addNamesakes({ db: { engine, read, tx } }: Wall, count: number): Promise<void> {
  const columns = 'username, username_key, email, created_at, blocked_at, display_name, display_key';
  const row = `'p' || ${count} || '_' || i, 'p' || ${count} || '_' || i, ${count} || 'p' || i || '@example.net', 1, 1, 'Пётр', 'петр'`;
  const statement = {
    sqlite: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into users (${columns}) select ${row} from n`,
    postgres: `insert into users (${columns}) select ${row} from generate_series(1, ${count}) as n (i)`,
  };
  await tx(({ db }) => sql.raw(statement[engine]).execute(db));
  // Plans that were made for the small table are made again, as after an autovacuum.
  if (engine === 'postgres') await sql`analyze users`.execute(read);
}
