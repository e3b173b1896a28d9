import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { verifyBest } from '../../features/lists/update-best.ts';
import { verifyNames } from '../../names/namesakes.ts';
import { verifyIndex } from '../../search/build-index.ts';

/** Compares a stored column of each discussion with the result of a query. */
function differs(column: string, found: ReturnType<typeof sql>) {
  return {
    what: `discussions.${column}`,
    query: sql<{ id: number; stored: number; counted: number }>`
      select * from (
        select d.root_post_id as id, coalesce(d.${sql.ref(column)}, 0) as stored, coalesce((${found}), 0) as counted
        from discussions d
      ) both_sides
      where stored <> counted
      order by id`,
  };
}

const last = (column: string, condition = sql``) => sql`
  select ${sql.ref(`p.${column}`)} from posts p
  where p.parent_post_id = d.root_post_id ${condition} order by p.id desc limit 1`;

const byOthers = sql`and p.user_id <> d.last_reply_by`;

const discussionChecks = [
  {
    what: 'discussions: нет строки',
    query: sql<{ id: number; stored: number; counted: number }>`
      select distinct parent_post_id as id, 0 as stored, 1 as counted from posts
      where parent_post_id is not null and parent_post_id not in (select root_post_id from discussions)
      order by parent_post_id`,
  },
  differs('last_reply_id', last('id')),
  differs('last_reply_by', last('user_id')),
  differs('last_reply_at', last('created_at')),
  differs('other_reply_id', last('id', byOthers)),
  differs('other_reply_at', last('created_at', byOthers)),
  differs(
    'lift_id',
    sql`
      select max(l.reply_id) from lifts l
      where l.root_post_id = d.root_post_id and l.reply_id in (select id from posts)
        and l.root_post_id in (select id from posts)`,
  ),
  {
    what: 'lifts: ответа больше нет',
    query: sql<{ id: number; stored: number; counted: number }>`
      select reply_id as id, 1 as stored, 0 as counted from lifts
      where reply_id not in (select id from all_posts where state < 3)
      order by reply_id`,
  },
];

/** A stored count that differs from the rows it counts. */
export interface Difference {
  what: string;
  id: number;
  stored: number;
  counted: number;
}

/** Each query returns only the rows whose stored count is wrong. */
const checks: Array<{ what: string; query: ReturnType<typeof sql<Omit<Difference, 'what'>>> }> = [
  countOf('users', 'posts_count', 'user_id', sql`posts where replied_post_id is null`),
  countOf('users', 'replies_count', 'user_id', sql`posts where replied_post_id is not null`),
  {
    what: 'users.last_post_id',
    query: sql`
      select u.id, u.last_post_id as stored, coalesce(p.last_id, 0) as counted
      from users u left join (select user_id, max(id) as last_id from posts group by user_id) p on p.user_id = u.id
      where u.last_post_id <> coalesce(p.last_id, 0)
      order by u.id`,
  },
  countOf('users', 'likes_count', 'user_id', sql`likes where post_id in (select id from posts)`),
  countOf('users', 'notifications_count', 'user_id', sql`notifications where post_id in (select id from posts)`),
  countOf('all_posts', 'likes_count', 'post_id', sql`likes`),
  countOf('all_posts', 'replies_count', 'replied_post_id', sql`posts`),
  countOf('all_posts', 'thread_count', 'parent_post_id', sql`posts`),
  countOf('all_posts', 'gaps_count', 'replied_post_id', sql`all_posts where state <> 0 and is_place = 1`),
  countOf('all_posts', 'hidden_count', 'replied_post_id', sql`all_posts where is_place = 0`),
  {
    what: 'all_posts.is_place: закрыть место некому',
    query: sql`
      select id, is_place as stored, 1 - is_place as counted from all_posts
      where is_place <> case when state = 0 or replies_count + gaps_count > 0 then 1 else 0 end and not exists (
        select 1 from jobs where name = 'close-gaps' and key = cast(all_posts.id as text)
      )
      order by id`,
  },
  {
    what: 'all_posts: записи нет, а текст, автор или строка остались',
    query: sql`
      select id, 1 as stored, 0 as counted from all_posts
      where state = 3 and (
        text is not null or user_id is not null or reason <> ''
        or replies_count + gaps_count + hidden_count = 0 and is_place = 0
      ) or state < 3 and (text is null or user_id is null)
      order by id`,
  },
  {
    what: 'reports.settled_by',
    query: sql`
      select id, settled_by as stored, 0 as counted from reports
      where settled_by is not null and (settled_at is null or settled_by not in (select id from operator_log))
      order by id`,
  },
  {
    what: 'operator_log.ended_by',
    query: sql`
      select id, ended_by as stored, 0 as counted from operator_log
      where ended_by is not null and (ended_by <= id or ended_by not in (select id from operator_log))
      order by id`,
  },
  // If the place of a post that is gone was not known any more, its row is directly below the root, with the depth that its replies require.
  {
    what: 'depth',
    query: differsFromReplied(
      sql`t.depth`,
      sql`case when t.state = 3 and t.replied_post_id = t.parent_post_id then t.depth else a.depth + 1 end`,
    ),
  },
  { what: 'parent_post_id', query: differsFromReplied(sql`t.parent_post_id`, sql`coalesce(a.parent_post_id, a.id)`) },
  ...discussionChecks,
  { what: 'likes: нет записи', query: withoutPost('likes') },
  { what: 'notifications: нет записи', query: withoutPost('notifications') },
  {
    what: 'reading_positions.unread',
    query: sql`
      select * from (
        select r.user_id as id, cast(sum(r.unread) as bigint) as stored, cast(sum((
          select count(*) from notifications n join posts p on p.id = n.post_id
          where n.user_id = r.user_id and n.root_post_id = r.list and n.post_id > r.post_id
            and not exists (select 1 from mutes m where m.user_id = n.user_id and m.muted_id = n.author_id)
        )) as bigint) as counted
        from reading_positions r join users u on u.id = r.user_id
        where u.deleted_at is null
        group by r.user_id, r.list
      ) both_sides
      where coalesce(stored, 0) <> counted
      order by id`,
  },
  {
    what: 'notifications: нет строки обсуждения',
    query: sql`
      select n.user_id as id, 0 as stored, cast(count(*) as bigint) as counted
      from notifications n join users u on u.id = n.user_id
      where u.deleted_at is null and not exists (
        select 1 from reading_positions r where r.user_id = n.user_id and r.list = n.root_post_id and r.unread is not null
      )
      group by n.user_id
      order by n.user_id`,
  },
  sumOf('unread_count', sql`coalesce((select sum(r.unread) from reading_positions r where r.user_id = u.id), 0)`),
  sumOf('unseen_removals', sql`(select count(*) from removed_posts p where p.user_id = u.id and p.unseen = 1)`),
  { what: 'reading_positions: учётная запись удалена', query: ofCleared('reading_positions') },
  { what: 'followed_authors: учётная запись удалена', query: ofCleared('followed_authors') },
  { what: 'follows: учётная запись удалена', query: ofCleared('follows') },
  { what: 'feed_counts по тысячам', query: perSlot(10) },
  { what: 'feed_counts по миллионам', query: perSlot(20) },
];

/** Compares a stored count of each row of a table with the number of `rows` whose column `by` has the id of this row. */
function countOf(table: string, column: string, by: string, rows: ReturnType<typeof sql>) {
  const query = sql<Omit<Difference, 'what'>>`
    select t.id, t.${sql.ref(column)} as stored, cast(coalesce(c.n, 0) as bigint) as counted
    from ${sql.table(table)} t
    left join (select ${sql.ref(by)} as id, count(*) as n from ${rows} group by ${sql.ref(by)}) c on c.id = t.id
    where t.${sql.ref(column)} <> coalesce(c.n, 0)
    order by t.id`;
  return { what: `${table}.${column}`, query };
}

/** Compares a counter of people who still have an account with the sum of its rows. */
function sumOf(column: 'unread_count' | 'unseen_removals', sum: ReturnType<typeof sql>) {
  const query = sql<Omit<Difference, 'what'>>`
    select * from (
      select u.id, u.${sql.ref(column)} as stored, cast(${sum} as bigint) as counted from users u where u.deleted_at is null
    ) both_sides
    where stored <> counted
    order by id`;
  return { what: `users.${column}`, query };
}

/** Replies whose stored value differs from the one that the post above implies, or that have none above. */
function differsFromReplied(stored: ReturnType<typeof sql>, implied: ReturnType<typeof sql>) {
  return sql<Omit<Difference, 'what'>>`
    select t.id, ${stored} as stored, cast(coalesce(${implied}, -1) as bigint) as counted
    from all_posts t left join all_posts a on a.id = t.replied_post_id
    where t.replied_post_id is not null and (a.id is null or ${stored} <> ${implied})
    order by t.id`;
}

/** Rows about posts that are gone. */
function withoutPost(table: string) {
  return sql<Omit<Difference, 'what'>>`
    select l.post_id as id, 0 as stored, cast(count(*) as bigint) as counted
    from ${sql.table(table)} l
    where not exists (select 1 from all_posts p where p.id = l.post_id and p.state < 3)
    group by l.post_id
    order by l.post_id`;
}

function ofCleared(table: string) {
  return sql<Omit<Difference, 'what'>>`
    select user_id as id, cast(count(*) as bigint) as stored, 0 as counted from ${sql.table(table)}
    where user_id in (select id from users where cleared_at is not null)
    group by user_id
    order by user_id`;
}

function perSlot(span: number) {
  const size = sql.lit(2 ** span);
  return sql<Omit<Difference, 'what'>>`
    select slot as id, cast(sum(stored) as bigint) as stored, cast(sum(counted) as bigint) as counted
    from (
      select slot, n as stored, 0 as counted from feed_counts where span = ${sql.lit(span)}
      union all
      select id / ${size} as slot, 0 as stored, 1 as counted from posts where replied_post_id is null
    ) both_sides
    group by slot
    having sum(stored) <> sum(counted)
    order by slot`;
}

/** Counts all rows again and yields the differences. */
export async function* recount(db: Kysely<Schema>): AsyncGenerator<Difference> {
  for (const { what, query } of checks) {
    const { rows } = await query.execute(db);
    for (const row of rows) yield { what, ...row };
  }
  yield* verifyNames(db);
  yield* verifyBest(db);
  yield* verifyIndex(db);
}
