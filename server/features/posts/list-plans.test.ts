import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { register, type Member } from '../../../test/kit/member.ts';
import { engines, type Engine } from '../../../test/kit/engines.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import type { Database } from '../../db/database.ts';

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
    sql`update all_posts set
      replies_count = (select count(*) from posts r where r.replied_post_id = all_posts.id),
      thread_count = case when replied_post_id is null then (select count(*) from posts r where r.parent_post_id = all_posts.id) else 0 end
      where id in (select replied_post_id from all_posts) or id in (select parent_post_id from all_posts)`,
    sql`insert into likes (post_id, user_id, created_at) select 1 + (i * 7) % ${sql.lit(many)}, case when i % 5 = 0 then ${sql.lit(me)} else ${sql.lit(me)} + 1 + i % ${sql.lit(people)} end, 1 from ${n()}`,
    sql`insert into bookmarks (post_id, user_id, created_at) select i * 9, ${sql.lit(me)}, 1 from ${n(3_000)}`,
    sql`insert into notifications (user_id, no, post_id, author_id, kind, root_post_id)
      select ${sql.lit(me)}, id, id, user_id, 'followed', parent_post_id from all_posts where replied_post_id is not null and user_id <> ${sql.lit(me)}`,
    sql`insert into discussions (root_post_id, last_reply_id, last_reply_by, last_reply_at, lift_id)
      select parent_post_id, max(id), ${sql.lit(me + 1)}, 1, max(id) from posts where parent_post_id is not null group by parent_post_id`,
    sql`insert into lifts (reply_id, root_post_id, user_id, created_at) select lift_id, root_post_id, ${sql.lit(me + 1)}, 1 from discussions`,
    sql`insert into follows (root_post_id, user_id, following) select root_post_id, ${sql.lit(me)}, 1 from discussions`,
    sql`insert into reading_positions (user_id, list, post_id, updated_at, unread) select ${sql.lit(me)}, root_post_id, 20000, 1, 5 from discussions`,
    sql`insert into followed_authors (user_id, author_id, after_id, created_at) select ${sql.lit(me)}, ${sql.lit(me)} + i, 0, 1 from ${n(20)}`,
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

/** Records the statements that a work runs and that read posts. */
function recorder(t: TestContext, engine: Engine) {
  const seen = new Map<string, Statement>();
  const note = (text: string, values: unknown[] = []) => {
    if (/\b(all_posts|posts|removed_posts)\b/.test(text) && /^\s*(select|with)\b/i.test(text))
      seen.set(text, { text, values });
  };
  if (engine === 'postgres') {
    const query = pg.Client.prototype.query;
    t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
      const [first] = args as [{ text?: string; values?: unknown[] } | string];
      if (typeof first === 'object' && first.text) note(first.text, first.values);
      return (query as (...all: unknown[]) => unknown).apply(this, args);
    });
  } else {
    const prepare = DatabaseSync.prototype.prepare;
    t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, text: string) {
      note(text);
      return prepare.call(this, text);
    });
  }
  return (): Statement[] => {
    const all = [...seen.values()];
    seen.clear();
    return all;
  };
}

async function planOf(db: Database, { text, values }: Statement): Promise<string[]> {
  if (db.engine === 'sqlite') {
    const { rows } = await db.read.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`));
    return rows.map(({ detail }) => detail);
  }
  const { rows } = await db.read.executeQuery<{ 'QUERY PLAN': string }>(CompiledQuery.raw(`explain ${text}`, values));
  return rows.map((row) => row['QUERY PLAN']);
}

for (const engine of engines) {
  test(`explore ${engine}`, async (t) => {
    const statements = recorder(t, engine);
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
    const me: Member = await register(wall);
    await fill(wall, Number(me.id));
    statements();
    const get = async (path: string) => {
      const r = await me.send('GET', path);
      return r.statusCode + ' ' + r.body.length;
    };
    const paths = [
      '/posts',
      '/posts?page=300',
      '/posts?at=15000',
      '/posts?filter=liked',
      '/posts?filter=liked&page=20',
      `/posts?userId=${me.id}`,
      `/posts?userId=${me.id}&page=5`,
      `/posts?userId=${me.id}&filter=replies`,
      `/posts?userId=${me.id}&filter=replies&page=5`,
      '/posts/1',
      '/posts/1/thread',
      '/posts/4/thread',
      '/posts/1/replies',
      '/posts/1/replies?page=5',
      '/posts/29970/thread',
      '/posts/24012/thread',
      '/posts/best',
      '/posts/discussed',
      '/posts/discussed?aside=true',
      '/posts/removed',
      '/posts/replies',
      '/posts/search?q=запись',
      '/posts/waiting',
      '/users/current/bookmarks',
      '/users/current/following',
      '/users/current/notifications',
      '/users/current/notifications?page=20',
      '/users/current/export',
      '/users/suggestions?post_id=1',
      '/users/current/data',
    ];
    for (const path of paths) {
      const got = await get(encodeURI(path));
      console.log(`\n##### ${path} → ${got}`);
      for (const statement of statements()) {
        console.log(
          statement.text
            .replaceAll(/"/g, '')
            .slice(0, 3000)
            .replace(/select .*? from/, 'select … from')
            .slice(0, 240),
        );
        console.log((await planOf(wall.db, statement)).map((l) => '      ' + l).join('\n'));
      }
      statements();
    }
  });
}
