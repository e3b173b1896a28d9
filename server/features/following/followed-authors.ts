import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { serverLimits } from '#contract/limits.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted, isNotDeleted } from '../../db/visibility.ts';
import type { Slice } from '../lists/list-pages.ts';
import { followedAuthors } from '../notifications/follows.ts';
import { type PostRow, selectAuthored } from '../posts/post-rows.ts';

interface Following {
  userId: number;
  authorId: number;
}

/** Following again changes nothing. */
export async function followAuthor(
  tx: Tx,
  { userId, authorId, now }: Following & { now: number },
): Promise<'followed' | 'unknown' | 'too many'> {
  const { db } = tx;
  const author = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', authorId)
    .where(isNotDeleted('users'))
    .executeTakeFirst();
  if (!author) return 'unknown';
  const newest = await db.selectFrom('posts').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  const added = await db
    .insertInto('followed_authors')
    .values({ user_id: userId, author_id: authorId, after_id: newest?.id ?? 0, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('author_id')
    .execute();
  if (added.length === 0) return 'followed';
  followedAuthors.add(tx, authorId);
  const beyond = await db
    .selectFrom('followed_authors')
    .select('author_id')
    .where('user_id', '=', userId)
    .limit(1)
    .offset(serverLimits.followedAuthors)
    .executeTakeFirst();
  return beyond ? 'too many' : 'followed';
}

export async function unfollowAuthor({ db }: Tx, { userId, authorId }: Following): Promise<void> {
  await db.deleteFrom('followed_authors').where('user_id', '=', userId).where('author_id', '=', authorId).execute();
}

const followed = prepared<Following, { author_id: number }>((db, slot) =>
  db
    .selectFrom('followed_authors')
    .select('author_id')
    .where('user_id', '=', slot('userId'))
    .where('author_id', '=', slot('authorId')),
);

export const isFollowedAuthor = async (db: Kysely<Schema>, following: Following): Promise<boolean> =>
  (await followed(db, following)).length > 0;

type ListedRow = PostRow & { key: number; unread: number | null };

/**
 * The root posts of the authors whom a person follows, the newest first. Posts of muted authors are left out, and so are
 * discussions that the person follows: `listFollowed` lists these by their last reply. Only the `limit` authors with the newest
 * posts can have a post in the answer, so at most `limit` posts of each of them are read.
 *
 * Both engines would otherwise walk the index of the feed, which has the order of the answer but contains all root posts.
 * `crossJoin` makes SQLite read the authors first; without `materialized` it computes `above` again for each post. PostgreSQL
 * uses the index by author when the bounds and the order contain the author, and when `listed` is ordered by a sum.
 */
export const postsOfFollowed = prepared<Slice & { userId: number }, ListedRow>((db, slot) => {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const limit = sql<number>`${slot('limit')} + 0`;
  /** The condition for a post in the list; `f` is the row of the author. */
  const isListed = (p: 'p' | 'q', after: 'f.after_id' | 'f.above') => {
    const [id, author, repliedTo] = [sql.ref(`${p}.id`), sql.ref(`${p}.user_id`), sql.ref(`${p}.replied_post_id`)];
    const isBetween = isPostgres
      ? sql`(${author}, ${id}) > (f.author_id, ${sql.ref(after)}) and (${author}, ${id}) < (f.author_id, ${slot('from')})${p === 'p' ? sql` and p.user_id = f.author_id` : sql``}`
      : sql`${author} = f.author_id and ${id} > ${sql.ref(after)} and ${id} < ${slot('from')}`;
    return sql<boolean>`
      ${isBetween} and ${repliedTo} is null and (${sql.ref(`${p}.thread_count`)} = 0 or not exists (
        select 1 from follows w
        where w.root_post_id = ${id} and w.user_id = ${slot('userId')} and w.following = 1
      ))`;
  };
  const newestFirst = sql`
    select q.id from posts q where ${isListed('q', 'f.after_id')} order by q.user_id desc, q.id desc`;
  const newest = sql<number>`coalesce((${newestFirst} limit 1), 0)`;
  const above = sql<number>`(select min(n.id) - 1 from (${newestFirst} limit ${limit}) n)`;
  const latest = db
    .selectFrom('followed_authors as f')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'f.author_id').on(isNotDeleted('u')))
    .select(['f.author_id', 'f.after_id'])
    .where('f.user_id', '=', slot('userId'))
    .where(hasNotMuted(slot('userId'), sql.ref('f.author_id')))
    .orderBy(newest, 'desc')
    .limit(limit);
  const listed = db
    .with(
      (cte) => cte('f').materialized(),
      (qb) => qb.selectFrom(latest.as('f')).select(['f.author_id', 'f.after_id', above.as('above')]),
    )
    .selectFrom('f')
    .crossJoin('posts as p')
    .select('p.id')
    .where(isListed('p', 'f.above'))
    .orderBy(sql`p.id + 0`, 'desc')
    .limit(limit);
  return selectAuthored(db)
    .leftJoin('reading_positions as r', (join) =>
      join.on('r.user_id', '=', slot('userId')).onRef('r.list', '=', 'p.id'),
    )
    .select(['p.id as key', 'r.unread'])
    .where('p.id', 'in', listed)
    .orderBy('p.id', 'desc');
});
