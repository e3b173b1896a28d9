import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { callTable } from '#contract/calls.ts';
import { engines, openFresh } from '../../../test/kit/engines.ts';
import { type Member, publish, register, replyTo } from '../../../test/kit/member.ts';
import { readingCost } from '../../../test/kit/processor-time.ts';
import { type Wall, wallOver } from '../../../test/kit/wall.ts';
import type { Database, Tx } from '../../db/database.ts';

/** The calls that read something of the caller and have no id in the path. New calls of this kind are measured too. */
const ofThePerson = callTable.flatMap(({ access, method, path, query }) => {
  if (access !== 'user' || method !== 'GET' || path.includes('{')) return [];
  return [{ path, takesLimit: JSON.stringify(query ?? {}).includes('"limit"') }];
});

/** Paths of the lists, each with another limit than the last time, because some responses are cached. */
function listsFor({ id, username }: Member): Array<() => string> {
  const lists = [
    ...ofThePerson,
    { path: '/posts', takesLimit: true },
    { path: '/posts?filter=liked', takesLimit: true },
    { path: `/posts?userId=${id}`, takesLimit: true },
    { path: '/posts/discussed', takesLimit: true },
    { path: '/posts/best', takesLimit: true },
    { path: `/posts/search?q=от:${username}`, takesLimit: true },
  ];
  return lists.map(({ path, takesLimit }) => {
    const named = path === '/users/suggestions' ? `${path}?q=${username.slice(0, 6)}` : path;
    let limit = 10;
    return () => encodeURI(takesLimit ? `${named}${named.includes('?') ? '&' : '?'}limit=${(limit += 1)}` : named);
  });
}

const many = 40;

for (const engine of engines) {
  test(`the lists of a person cost the same on a wall with a hundred times as many posts on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const measured = measurable(fresh.db);
    await using wall = await wallOver(measured.db, { RATE_LIMITS: 'off' });
    const [newcomer, regular, author] = [await register(wall), await register(wall), await register(wall)];
    await doMuch(wall, regular, author);
    await write(wall, 200, Number(author.id));
    const costs = async (who: Member) => {
      const of = new Map<string, number>();
      for (const nextPath of listsFor(who)) {
        const path = nextPath();
        const ask = async (next = nextPath()): Promise<void> => {
          const { statusCode, body } = await who.send('GET', next);
          assert.equal(statusCode, 200, `${next}: ${body}`);
        };
        await ask(path);
        of.set(path, await measured.cost(ask));
      }
      return of;
    };
    const people = { 'with nothing': newcomer, [`with ${many} of everything`]: regular };
    const before = new Map<string, Map<string, number>>();
    for (const [kind, who] of Object.entries(people)) before.set(kind, await costs(who));
    await write(wall, 20_000, Number(author.id));
    for (const [kind, who] of Object.entries(people)) {
      for (const [path, cost] of await costs(who)) {
        const was = before.get(kind)!.get(path)!;
        assert.ok(cost < 3 * was + floor[engine], `${path} of a person ${kind}: ${was} → ${cost}`);
      }
    }
  });
}

/** A difference that does not count: rows of posts on PostgreSQL, milliseconds for `runs` calls on SQLite. */
const floor = { postgres: 300, sqlite: 12 };
const runs = 6;

/** While `cost` runs, all queries of the app go through one transaction, in which they can be counted. */
function measurable(db: Database) {
  let open: Tx | undefined;
  const counted: Database = Object.create(db, {
    read: { get: () => open?.db ?? db.read },
    tx: { value: (work: (tx: Tx) => Promise<unknown>) => (open ? work(open) : db.tx(work)) },
  });
  const cost = (work: () => Promise<void>): Promise<number> =>
    readingCost(
      db,
      async (tx) => {
        open = tx;
        await work().finally(() => (open = undefined));
      },
      { runs, table: 'posts' },
    );
  return { db: counted, cost };
}

/** Gives a person `many` entries in each of the lists. */
async function doMuch(wall: Wall, person: Member, author: Member): Promise<void> {
  const people = await Promise.all(Array.from({ length: many }, (_, i) => wall.person(`person_${i}`)));
  const muted = await Promise.all(Array.from({ length: many }, (_, i) => wall.person(`muted_${i}`)));
  for (let i = 0; i < many; i += 1) {
    const { id: own } = await publish(person, `своя ${i}`);
    await replyTo(author, own);
    const root = String(await wall.post(people[i]!, `чужая ${i}`));
    await replyTo(person, root);
    await replyTo(author, root);
    for (const [method, path] of [
      ['POST', `/posts/${root}/likes`],
      ['PUT', `/posts/${root}/bookmark`],
      ['PUT', `/users/${people[i]}/follow`],
      ['PUT', `/users/current/mutes/${muted[i]}`],
    ] as const) {
      const { statusCode, body } = await person.send(method, path);
      assert.ok(statusCode < 300, `${path}: ${body}`);
    }
  }
}

/** Root posts and replies of strangers, and root posts of one of the people who are followed. */
async function write(wall: Wall, count: number, stranger: number): Promise<void> {
  const followed = (await wall.db.read.selectFrom('followed_authors').select('author_id').executeTakeFirst())!
    .author_id;
  const row = { text: 'запись', created_at: wall.clock.now, depth: 0 };
  const rows = Array.from({ length: 500 }, (_, i) => ({ ...row, user_id: i % 5 === 0 ? followed : stranger }));
  for (let written = 0; written < count; written += rows.length) {
    await wall.db.tx(async ({ db }) => {
      await db
        .insertInto('all_posts')
        .values(rows.slice(0, count - written))
        .execute();
    });
  }
  if (wall.db.engine === 'postgres') await sql`analyze`.execute(wall.db.read);
}
