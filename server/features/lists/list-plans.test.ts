import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type SQLInputValue, StatementSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { siteFiles } from '#contract/addresses.ts';
import type { Calls } from '#contract/calls.ts';
import { type Engine, engines } from '../../../test/kit/engines.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import type { Schema } from '../../db/schema.ts';
import { untold } from '../notifications/digest-store.ts';
import { contentsOf } from '../notifications/push/push-store.ts';

const many = 30_000;
const people = 300;

/** SQL for the rows `i` from 1 to `count`. */
const numbers = (engine: Engine, count: number) =>
  sql.raw(
    engine === 'sqlite'
      ? `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) as n`
      : `generate_series(1, ${count}) as n (i)`,
  );

/**
 * Fills a wall: each third post is a reply, in 200 discussions and a long one, and one of 17 is withdrawn, some of them gaps. `me` has
 * a share of everything.
 */
async function fill({ db }: Wall, me: number): Promise<void> {
  const n = (count = many) => numbers(db.engine, count);
  const author = sql`case when i % 50 = 0 then ${sql.lit(me)} else ${sql.lit(me)} + 1 + i % ${sql.lit(people)} end`;
  const reply = sql`i % 3 = 0 and i > 600`;
  const root = sql`case when i % 30 = 0 then 1 else 1 + 3 * (i % 200) end`;
  const isHidden = sql`i % 17 = 0`;
  const statements = [
    sql`insert into users (username, username_key, email, created_at) select 'p' || i, 'p' || i, 'p' || i || '@example.org', 1 from ${n(people)}`,
    sql`insert into all_posts (id, user_id, text, created_at, parent_post_id, replied_post_id, depth, state, is_place, removed_at)
      select i, ${author}, 'запись ' || i, 1690000000 + i, case when ${reply} then ${root} end,
        case when ${reply} then case when i % 2 = 0 and i > 1200 and i % 30 <> 0 then i - 600 else ${root} end end,
        case when ${reply} then 1 else 0 end,
        case when ${isHidden} then 1 + i % 2 else 0 end, case when ${isHidden} and i % 51 <> 0 then 0 else 1 end,
        case when ${isHidden} then 1 end
      from ${n()}`,
    ...(['replied_post_id', 'parent_post_id'] as const).map(
      (
        column,
      ) => sql`update all_posts set ${sql.ref(column === 'replied_post_id' ? 'replies_count' : 'thread_count')} = c.n
        from (select ${sql.ref(column)} as id, count(*) as n from posts group by ${sql.ref(column)}) c where all_posts.id = c.id`,
    ),
    sql`insert into all_posts (id, user_id, text, created_at, state, is_place, removed_at)
      select ${sql.lit(many)} + i, ${sql.lit(me)}, 'убрана', 1, 2, 0, 1700000000 + i from ${n(300)}`,
    sql`insert into likes (post_id, user_id, created_at) select 1 + (i * 7) % ${sql.lit(many)}, case when i % 20 = 0 then ${sql.lit(me)} else ${sql.lit(me)} + 1 + i % ${sql.lit(people)} end, 1 from ${n()}`,
    sql`insert into bookmarks (post_id, user_id, created_at) select i * 9, ${sql.lit(me)}, 1 from ${n(3_000)}`,
    sql`insert into notifications (user_id, no, post_id, author_id, kind, root_post_id)
      select ${sql.lit(me)}, id, id, user_id, 'followed', parent_post_id from all_posts where replied_post_id is not null and user_id <> ${sql.lit(me)}`,
    sql`insert into discussions (root_post_id, last_reply_id, last_reply_by, last_reply_at, lift_id)
      select parent_post_id, max(id), ${sql.lit(me + 1)}, 1, max(id) from posts where parent_post_id is not null group by parent_post_id`,
    sql`insert into lifts (reply_id, root_post_id, user_id, created_at) select lift_id, root_post_id, ${sql.lit(me + 1)}, 1 from discussions`,
    sql`insert into follows (root_post_id, user_id, following) select root_post_id, ${sql.lit(me)}, 1 from discussions`,
    sql`insert into reading_positions (user_id, list, post_id, updated_at, unread) select ${sql.lit(me)}, root_post_id, 20000, 1, 5 from discussions`,
    sql`insert into followed_authors (user_id, author_id, after_id, created_at) select ${sql.lit(me)}, ${sql.lit(me)} + i, 0, 1 from ${n(20)}`,
    sql`update notifications set kind = 'word' where post_id % 10 = 3`,
    sql`insert into best_posts (post_id, period, people, ends_at) select i, 'week', 2 + i % 7, 1800000000 from ${n(2_000)}`,
    sql`insert into first_posts (post_id, created_at) select i, 1700000000 from ${n(100)}`,
    sql`insert into feed_counts (span, slot, shard, n) select 10, id / 1024, 0, count(*) from posts where replied_post_id is null group by id / 1024`,
    sql`insert into feed_counts (span, slot, shard, n) select 20, 0, 0, count(*) from posts where replied_post_id is null`,
    sql`update users set posts_count = 100, replies_count = 100, likes_count = 6000, notifications_count = 9000, unread_count = 50`,
  ];
  await db.tx(async (tx) => {
    for (const statement of statements) await statement.execute(tx.db);
  });
  if (db.engine === 'postgres') await sql`analyze`.execute(db.read);
}

interface Statement {
  text: string;
  values: unknown[];
}

/** «Мои данные» and the export count or read all rows of a person in a table, which lists no posts. */
const isOfPerson = / as first_at|posts\.id = post_id\)/;

/** Records the statements that read posts. The returned function resolves to those that a work has run. */
function recordStatements(t: TestContext) {
  // Jobs run meanwhile, whose statements are not those of the work.
  const running = new AsyncLocalStorage<Map<string, Statement>>();
  const note = (text: string, values: unknown[] = []) => {
    const isRead = /^\s*(select|with)\b/i.test(text);
    const seen = running.getStore();
    if (
      seen &&
      isRead &&
      !isOfPerson.test(text) &&
      /\b(all_posts|posts|removed_posts|last_post_id)\b/.test(text) &&
      !seen.has(text)
    )
      seen.set(text, { text, values });
  };
  const { all } = StatementSync.prototype;
  t.mock.method(StatementSync.prototype, 'all', function (this: StatementSync, ...args: SQLInputValue[]) {
    note(this.sourceSQL);
    return (all as (...all: unknown[]) => unknown[]).apply(this, args);
  });
  const { query } = pg.Client.prototype;
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    if (typeof first === 'object' && first && 'text' in first) {
      const { text, values } = first as Statement;
      note(text, values);
    }
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  });
  return async (work: () => Promise<unknown>): Promise<Statement[]> => {
    const seen = new Map<string, Statement>();
    await running.run(seen, work);
    return [...seen.values()];
  };
}

interface Plan {
  /** The indexes of the table of posts that the plan uses, besides the primary key. */
  indexes: string[];
  isSorted: boolean;
  isScanned: boolean;
}

/** SQLite explains a statement that it knows as before, although a view has changed since; `label` makes it another statement. */
async function planOf(read: Kysely<Schema>, engine: Engine, { text, values }: Statement, label = ''): Promise<Plan> {
  const explained = `explain ${engine === 'sqlite' ? 'query plan' : ''} /* ${label} */ ${text}`;
  const { rows } = await read.executeQuery<Record<string, string>>(
    CompiledQuery.raw(explained, engine === 'sqlite' ? [] : values),
  );
  const lines = rows.map((row) => row['detail'] ?? row['QUERY PLAN']!);
  const aliases = [...text.matchAll(/all_posts"?(?: as)? "?(\w+)/g)].map(([, alias]) => alias!);
  const isOfPosts = new RegExp(`^SCAN (all_posts|${aliases.join('|') || 'all_posts'})$|Seq Scan on all_posts`);
  // Both indexes of removed posts are by person: PostgreSQL takes either and may sort one person's removed posts.
  const ofPosts =
    /\b(root_posts|root_posts_by_user|replies_by_\w+|deleted_posts|unseen_removals|users_by_last_post)\b|(removed_posts)_by_/;
  const found = lines.flatMap((line) =>
    / (USING|using|Index Scan on) /.test(line) ? (ofPosts.exec(line)?.slice(1).find(Boolean) ?? []) : [],
  );
  return {
    indexes: [...new Set(found)].toSorted(),
    isSorted: lines.some((line) => /FOR ORDER BY|Sort Key/.test(line)),
    isScanned: lines.some((line) => isOfPosts.test(line)),
  };
}

/** `sorts`: the list sorts a bounded number of rows. */
interface Case {
  of: string;
  indexes: readonly string[];
  sorts?: boolean;
}

const reading = (of: string, ...indexes: string[]): Case => ({ of, indexes });
const sorting = (of: string, ...indexes: string[]): Case => ({ of, indexes, sorts: true });
/** It reads no posts, or at most one by its id. `/keep/life` counts posts, in a thread of its own on SQLite. */
const none: Case[] = [];

/** The cases of each call that reads. `{id}` and `{name}` are the caller's. */
const calls: Record<Extract<keyof Calls, `GET ${string}`>, Case[]> = {
  'GET /posts': [
    reading('/posts', 'root_posts'),
    reading('/posts?page=300', 'root_posts'),
    reading('/posts?at=15000', 'root_posts'),
    reading('/posts?userId={id}', 'root_posts_by_user'),
    reading('/posts?userId={id}&page=9', 'root_posts_by_user'),
    reading('/posts?userId={id}&filter=replies', 'replies_by_user'),
    reading('/posts?userId={id}&filter=replies&page=9', 'replies_by_user'),
    reading('/posts?filter=liked'),
    reading('/posts?filter=liked&page=20'),
  ],
  'GET /posts/best': [reading('/posts/best')],
  'GET /posts/discussed': [sorting('/posts/discussed'), sorting('/posts/discussed?aside=true', 'root_posts_by_user')],
  'GET /posts/replies': [reading('/posts/replies', 'replies_by_user')],
  'GET /posts/removed': [sorting('/posts/removed', 'deleted_posts', 'removed_posts')],
  'GET /posts/search': [
    sorting('/posts/search?q=запись'),
    sorting('/posts/search?q=от:{name}', 'replies_by_user', 'root_posts_by_user'),
  ],
  'GET /posts/waiting': [sorting('/posts/waiting')],
  'GET /posts/{id}': [reading('/posts/1')],
  'GET /posts/{id}/replies': [
    reading('/posts/1/replies', 'replies_by_replied'),
    reading('/posts/1/replies?page=9', 'replies_by_replied'),
  ],
  'GET /posts/{id}/thread': [
    sorting('/posts/1/thread', 'replies_by_replied', 'replies_by_thread'),
    reading('/posts/4/thread', 'replies_by_thread'),
    sorting('/posts/30000/thread', 'replies_by_replied', 'replies_by_thread'),
    sorting('/posts/1/thread?branch=b1-1', 'replies_by_replied', 'replies_by_thread'),
  ],
  'GET /posts/{id}/bookmark': none,
  'GET /posts/{id}/follow': none,
  'GET /posts/{id}/shared': none,
  'GET /users/current/bookmarks': [reading('/users/current/bookmarks')],
  'GET /users/current/following': [sorting('/users/current/following', 'root_posts_by_user')],
  'GET /users/current/notifications': [
    sorting('/users/current/notifications'),
    sorting('/users/current/notifications?page=20'),
  ],
  'GET /users/current/export': [
    sorting('/users/current/export', 'removed_posts', 'replies_by_user', 'root_posts_by_user'),
  ],
  'GET /users/current/data': none,
  // With the beginning of a name, the number of rows that are read is bounded: people.test.ts counts them.
  'GET /users': [reading('/users', 'root_posts_by_user', 'users_by_last_post')],
  'GET /users/suggestions': [sorting('/users/suggestions?post_id=1', 'replies_by_thread')],
  'GET /moderation/waiting': [sorting('/moderation/waiting')],
  'GET /moderation/reports': [reading('/moderation/reports')],
  'GET /moderation/journal': [reading('/moderation/journal')],
  'GET /moderation/people': [reading('/moderation/people', 'removed_posts')],
  'GET /moderation/people/{username}': [reading('/moderation/people/{name}', 'removed_posts')],
  'GET /moderation/people/{username}/branch': [reading('/moderation/people/{name}/branch')],
  'GET /moderation/pin': [reading('/moderation/pin')],
  'GET /keep': none,
  'GET /keep/life': none,
  'GET /keep/steps': none,
  'GET /moderation/invites': none,
  'GET /moderation/reports/count': none,
  'GET /claims/{code}': none,
  'GET /documents/{name}': none,
  'GET /events': none,
  'GET /invitations/{code}': none,
  'GET /keep/waiting-codes': none,
  'GET /users/current/name': none,
  'GET /mail/{id}': none,
  'GET /owner-links/{code}': none,
  'GET /push/key': none,
  'GET /reports/reasons': none,
  'GET /sessions': none,
  'GET /users/current': none,
  'GET /users/current/invitations': none,
  'GET /users/current/email': none,
  'GET /users/current/mutes': none,
  'GET /users/current/notification-settings': none,
  'GET /users/current/push': none,
  'GET /users/current/reading': none,
  'GET /users/current/tokens': none,
  'GET /users/current/words': none,
  'GET /users/current/carries': none,
  'GET /users/{username}': none,
  'GET /users/{username}/validation': none,
};

/** The cases of the files of the site. */
const files: Partial<Record<keyof typeof siteFiles, Case>> = {
  feed: reading('/feed.xml', 'root_posts'),
  discussedFeed: sorting('/discussed.xml'),
  bestFeed: reading('/best.xml'),
  userFeed: reading('/users/{name}/feed.xml', 'root_posts_by_user'),
  discussionFeed: reading('/posts/1/feed.xml', 'replies_by_thread'),
  sitemap: reading('/sitemap.xml', 'root_posts'),
  sitemapPart: sorting('/sitemap-1.xml', 'root_posts'),
};

const union = (plans: readonly Plan[]): string[] => [...new Set(plans.flatMap(({ indexes }) => indexes))].toSorted();

function faultsOf({ of, indexes, sorts = false }: Case, plans: readonly Plan[]): string[] {
  const faults: string[] = [];
  if (union(plans).join() !== indexes.join()) faults.push(`${of} uses ${union(plans).join() || 'no index'}`);
  if (plans.some(({ isScanned }) => isScanned)) faults.push(`${of} reads all posts`);
  if (!sorts && plans.some(({ isSorted }) => isSorted)) faults.push(`${of} sorts`);
  return faults;
}

for (const engine of engines) {
  test(`every list of posts is read through its index, on ${engine}`, async (t) => {
    const statementsOf = recordStatements(t);
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
    const { read } = wall.db;
    const [me, keeper] = [await register(wall), await registerModerator(wall)];
    const userId = Number(me.id);
    await fill(wall, userId);
    const pathOf = ({ of }: Case) => encodeURI(of.replace('{id}', me.id).replace('{name}', me.username));
    const ofCall = (one: Case) => async () => {
      const { statusCode, body } = await (one.of.startsWith('/moderation') ? keeper : me).send('GET', pathOf(one));
      assert.equal(statusCode, 200, `${one.of}: ${body}`);
    };
    const ofFile = (one: Case) => async () => assert.equal((await wall.get(pathOf(one))).status, 200, one.of);
    const works: Array<[Case, () => Promise<unknown>]> = [
      ...Object.values(calls).flatMap((cases) => cases.map((one): [Case, () => Promise<void>] => [one, ofCall(one)])),
      ...Object.values(files).map((one): [Case, () => Promise<void>] => [one, ofFile(one)]),
      [sorting('the letter with notifications'), () => untold(read, { userId, after: 0, limit: 5 })],
      [
        reading('messages to browsers'),
        () => contentsOf(read, [{ session_id: 1, root_post_id: 1, post_id: 603, tries: 0 }], wall.clock.now),
      ],
    ];
    const faults: string[] = [];
    const all: Statement[] = [];
    const plansOf = (statements: readonly Statement[], label?: string) =>
      Promise.all(statements.map((statement) => planOf(read, engine, statement, label)));
    for (const [one, work] of works) {
      const statements = await statementsOf(work);
      all.push(...statements);
      faults.push(...faultsOf(one, await plansOf(statements)));
    }
    assert.deepEqual(faults, []);

    const known = union(await plansOf(all));
    const [before] = (await sql<{ sql: string }>`${viewOf[engine]}`.execute(read)).rows;
    for (const condition of ['state = 0', 'is_place = 1']) {
      const without = before!.sql.replace(/where .*/is, `where ${condition}`);
      await wall.db.tx(async ({ db }) => {
        await sql`drop view posts`.execute(db);
        await sql.raw(without).execute(db);
      });
      const plans = await plansOf(all, condition);
      assert.ok(
        union(plans).join() !== known.join() || plans.some(({ isScanned }) => isScanned),
        `a view with only ${condition}`,
      );
    }
  });
}

/** The definition of the view of shown posts. */
const viewOf = {
  sqlite: sql`select sql from sqlite_schema where name = 'posts'`,
  postgres: sql`select 'create view posts as ' || pg_get_viewdef('posts') as sql`,
};
