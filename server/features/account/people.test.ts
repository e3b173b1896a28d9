import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { ListedPerson } from '#contract/account.ts';
import { confirm, registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, outcome, publish, register, renew, replyTo } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { readingCost } from '../../../test/kit/processor-time.ts';
import { seedOf } from '../../../test/kit/seed.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { changeProfile } from './account-store.ts';
import { findPlaces } from './people-routes.ts';

/** Added to a limit, because processor time is counted in ticks of a few milliseconds. Reading all rows would cost far more. */
const slack = 40;

const ask = (by: Member, query: Record<string, string> = {}) => by.send('GET', `/users?${new URLSearchParams(query)}`);

async function pageOf(by: Member, query: Record<string, string> = {}) {
  const response = await ask(by, query);
  assert.equal(response.statusCode, 200, response.body);
  return response.json() as { people: ListedPerson[]; next: string | null };
}

const namesOf = async (by: Member, query?: Record<string, string>): Promise<string[]> =>
  (await pageOf(by, query)).people.map(({ username }) => username);

/** All pages of the list, as they are read one after another. */
async function walk(by: Member, query: Record<string, string>): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { people, next } = await pageOf(by, { ...query, ...(cursor && { cursor }) });
    names.push(...people.map(({ username }) => username));
    cursor = next;
  }
  return names;
}

async function named(wall: Wall, username: string, name: string): Promise<number> {
  const id = await wall.person(username);
  await wall.db.tx((tx) => changeProfile(tx, id, { display_name: name }));
  return id;
}

const onWall = onWalls({ RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' }, 'the list of people');

onWall('begins with who has written the last shown post; who has written nothing comes last', async (wall) => {
  const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
  const silent = await register(wall);
  const order = async () => {
    const known = new Map([anna, boris, clara, silent].map((person, i) => [person.username, 'abcs'[i]]));
    return (await namesOf(anna)).map((name) => known.get(name)).join('');
  };
  assert.equal(await order(), 'scba');
  const root = (await publish(anna, 'корень')).id;
  await publish(boris, 'запись');
  assert.equal(await order(), 'basc');
  const hers = await replyTo(clara, root);
  const last = await replyTo(anna, hers);
  assert.equal(await order(), 'acbs');

  assert.equal((await anna.send('DELETE', `/posts/${last}`)).statusCode, 204);
  assert.equal(await order(), 'cbas');
  assert.equal((await anna.send('POST', `/posts/${last}/restoration`)).statusCode, 200);
  assert.equal(await order(), 'acbs');
  await removePost(wall, hers);
  assert.equal(await order(), 'absc');
  await restore(wall, hers);
  assert.equal(await order(), 'acbs');
  await wall.remove(Number(hers));
  assert.equal(await order(), 'absc');
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
});

onWall('goes on at the same place while people write', async (wall) => {
  const reader = await register(wall);
  const ids: number[] = [];
  for (const name of ['first', 'second', 'third', 'fourth', 'fifth']) {
    ids.push(await wall.person(`${name}_person`));
    await wall.post(ids.at(-1)!, 'запись');
  }
  const { people, next } = await pageOf(reader, { limit: '2' });
  assert.deepEqual(
    people.map(({ username }) => username),
    ['fifth_person', 'fourth_person'],
  );
  await wall.post(ids[3]!, 'ещё одна');
  await wall.post(ids[0]!, 'ещё одна');
  const rest = await walk(reader, { limit: '2', cursor: next! });
  assert.deepEqual(rest.slice(-3), ['third_person', 'second_person', reader.username]);
  assert.deepEqual((await namesOf(reader)).slice(0, 3), ['first_person', 'fourth_person', 'fifth_person']);
  for (let n = 0; n < 30; n += 1) await wall.person(`more_people_${n}`);
  assert.equal((await pageOf(reader)).people.length, 30);
  assert.equal((await pageOf(reader, { limit: '1000' })).people.length, 36);
});

onWall('says how long ago people wrote, and whom to greet, and nothing more', async (wall) => {
  const reader = await register(wall);
  const days = 24 * 3_600;
  const start = wall.clock.now;
  await wall.post(await wall.person('long_ago'), 'запись');
  wall.clock.now = start + 30 * days;
  await wall.post(await wall.person('this_week'), 'запись');
  const now = start + 36 * days;
  wall.clock.now = now;
  await renew(reader);
  const newcomer = await register(wall);
  const first = await publish(newcomer, 'Всем привет');
  await publish(newcomer, 'И ещё');
  const shy = await register(wall);
  await replyTo(shy, first.id);
  const until = now + 7 * days;
  const shown = ({ id, username }: Pick<Member, 'id' | 'username'>) => ({
    id,
    username,
    display_name: null,
    face: null,
  });
  const { people, next } = await pageOf(reader);
  assert.equal(next, null);
  assert.deepEqual(people.slice(0, 2), [
    { ...shown(shy), about: null, newcomer_until: until, wrote: 'today' },
    { ...shown(newcomer), about: null, newcomer_until: until, first_post_id: first.id, wrote: 'today' },
  ]);
  assert.deepEqual(
    people.slice(2).map(({ username, wrote, newcomer_until: newUntil }) => [username, wrote, newUntil]),
    [
      ['this_week', 'week', undefined],
      ['long_ago', 'earlier', undefined],
      [reader.username, null, undefined],
    ],
  );
});

onWall('has nobody who is blocked, deleted, or imported and not claimed', async (wall) => {
  const [reader, keeper] = [await register(wall), await registerModerator(wall)];
  const [blocked, deleted] = [await register(wall), await register(wall)];
  for (const person of [blocked, deleted]) await publish(person, 'запись');
  const imported = await seedOf(wall.db).imported('imported_one');
  await wall.post(imported.id, 'перенесённая запись');
  const hidden = [blocked.username, deleted.username, 'imported_one'];
  const listed = async () => {
    const found = await Promise.all([namesOf(reader), ...hidden.map((q) => namesOf(reader, { q }))]);
    return hidden.filter((name) => found.flat().includes(name));
  };
  assert.deepEqual(await listed(), hidden.slice(0, 2));
  await confirm(wall, keeper);
  const because = { reason: 'Реклама', remove_posts: false };
  const path = `/moderation/people/${blocked.username}`;
  assert.equal((await keeper.send('POST', `${path}/block`, because)).statusCode, 200);
  await deleteAccount(wall, deleted);
  assert.deepEqual(await listed(), []);
  const opened = { reason: 'ошибка', restore_posts: false };
  assert.equal((await keeper.send('POST', `${path}/unblock`, opened)).statusCode, 200);
  const newcomer = await register(wall);
  assert.deepEqual(await outcome(newcomer.send('POST', `/claims/${imported.code}`)), [204]);
  assert.deepEqual(await listed(), [blocked.username, 'imported_one']);
});

onWall('finds people by the beginning of a username or a display name', async (wall) => {
  const reader = await register(wall);
  const alyona = await named(wall, 'winter', 'Алёна Зима');
  await named(wall, 'alena_k', 'Алена');
  await named(wall, 'autumn', 'Осень, Алёна');
  await named(wall, 'latin', 'alena');
  await wall.post(alyona, 'запись');
  const expected: Array<[string, string[]]> = [
    ['ал', ['winter', 'alena_k']],
    ['  АЛЁНА ', ['winter', 'alena_k']],
    ['алена з', ['winter']],
    ['Alena', ['latin', 'alena_k']],
    ['a', ['latin', 'autumn', 'alena_k']],
    ['лен', []],
    ['%', []],
    ['_', []],
  ];
  for (const [q, names] of expected) assert.deepEqual(await namesOf(reader, { q }), names, q);
  assert.deepEqual(await walk(reader, { q: 'a', limit: '1' }), ['latin', 'autumn', 'alena_k']);
  assert.equal((await namesOf(reader, { q: ' ' })).length, 5);
  for (const q of ['ж'.repeat(33), 'a\u0000'])
    assert.deepEqual(await outcome(ask(reader, { q })), [400, 'INVALID_REQUEST']);
  for (const cursor of ['0', '1-', 'x-1', '99999999999999999-1', '1-1-1', '9999999999999999-1'])
    assert.deepEqual(await outcome(ask(reader, { cursor })), [400, 'INVALID_REQUEST'], cursor);
});

/** Adds people who have not written. Those with even numbers have the display name Пётр. */
async function addPeople({ db: { engine, read, tx } }: Wall, from: number, to: number): Promise<void> {
  const columns = 'username, username_key, email, created_at, display_name, display_key';
  const name = (text: string) => `case when i % 2 = 0 then '${text}' end`;
  const row = `'p_' || i, 'p_' || i, 'p' || i || '@example.net', 1, ${name('Пётр')}, ${name('петр')}`;
  const numbers = {
    sqlite: `(with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to}) select i from n) n`,
    postgres: `generate_series(${from}, ${to}) as n (i)`,
  };
  await tx(({ db }) => sql.raw(`insert into users (${columns}) select ${row} from ${numbers[engine]}`).execute(db));
  if (engine === 'postgres') await sql`analyze users`.execute(read);
}

onWall('has each of many namesakes once, in the same order', async (wall) => {
  const reader = await register(wall);
  await addPeople(wall, 1, 4_000);
  await wall.post(await named(wall, 'p_writer', 'Павел'), 'запись');
  const all = ['p_writer', ...Array.from({ length: 4_000 }, (_, i) => `p_${4_000 - i}`)];
  assert.deepEqual(await walk(reader, { q: 'p', limit: '50' }), all);
  assert.deepEqual(
    await walk(reader, { q: 'Петр', limit: '50' }),
    all.filter((name) => /[02468]$/.test(name)),
  );
  // Those who fit are more than are sorted, and come after more people than a page looks through.
  await addPeople(wall, 4_001, 8_000);
  await wall.db.tx(({ db }) =>
    db
      .updateTable('users')
      .set({ display_key: 'юрий' })
      .where('display_key', '=', 'петр')
      .where('id', '<', 4_000)
      .execute(),
  );
  const { people, next } = await pageOf(reader, { q: 'юр' });
  assert.deepEqual([people, next !== null], [[], true]);
  assert.equal(new Set(await walk(reader, { q: 'юр', limit: '50' })).size, 1_999);
});

for (const engine of engines) {
  test(`a page of the list of people costs the same at each place of a large wall on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
    const cost = (from: string, place: number) =>
      readingCost(wall.db, ({ db }) => findPlaces({ read: db, engine }, { from, after: placeOf(place), limit: 30 }));
    const placeOf = (id: number) => ({ id, last_post_id: 0 });
    const asked = ['', 'p_', 'p_77', 'петр', 'я'];
    await addPeople(wall, 1, 4_000);
    const small = await Promise.all(asked.map((from) => cost(from, 3_999)));
    await addPeople(wall, 4_001, 40_000);
    for (const place of [39_000, 20_000, 100]) {
      for (const [i, from] of asked.entries()) {
        const large = await cost(from, place);
        assert.ok(large < 2 * small[i]! + slack, `“${from}” at ${place}: ${large} against ${small[i]}`);
      }
    }
  });
}
