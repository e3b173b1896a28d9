import { sql } from 'kysely';

/** A stored fact about each discussion and the query that finds it out again. */
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

export const discussionChecks = [
  {
    what: 'discussions that are missing',
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
    what: 'lifts by replies that are gone',
    query: sql<{ id: number; stored: number; counted: number }>`
      select reply_id as id, 1 as stored, 0 as counted from lifts
      where reply_id not in (select id from posts) and reply_id not in (select id from removed_posts)
      order by reply_id`,
  },
];
