import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted } from '../../db/visibility.ts';

// A notification is unread while its post is shown and newer than the person's reading position in the discussion, unless the person
// has muted the author. One row of `reading_positions` for each discussion has the position and the number of unread notifications;
// their sum is `users.unread_count`. The bell also counts unseen removals of own posts (`unseen_removals`).

/** Whether a notification is unread, as SQL. All parameters are SQL expressions. */
export const isUnreadBy = (
  person: unknown,
  { rootId, postId, authorId }: Record<'rootId' | 'postId' | 'authorId', unknown>,
) =>
  sql<SqlBool>`(not exists (
    select 1 from reading_positions r
    where r.user_id = ${person} and r.list = ${rootId} and r.post_id >= ${postId}
  ) and ${hasNotMuted(person, authorId)})`;

/** Whether a row of `notifications`, by its alias in the query, is unread. */
export const isUnread = (n: 'n') =>
  isUnreadBy(sql.ref(`${n}.user_id`), {
    rootId: sql.ref(`${n}.root_post_id`),
    postId: sql.ref(`${n}.post_id`),
    authorId: sql.ref(`${n}.author_id`),
  });

/** The condition of the partial index, which the engines use only for a query with the same condition. */
const hasUnread = (at: 'at') => sql<SqlBool>`${sql.ref(`${at}.unread`)} > 0`;

/** The unread notifications `n` of a person, with their posts `p`. Reads no others. */
export const selectUnread = (db: Kysely<Schema>, userId: number) =>
  db
    .selectFrom('reading_positions as at')
    .innerJoin('notifications as n', (join) =>
      join
        .onRef('n.user_id', '=', 'at.user_id')
        .onRef('n.root_post_id', '=', 'at.list')
        .onRef('n.post_id', '>', 'at.post_id'),
    )
    .innerJoin('posts as p', 'p.id', 'n.post_id')
    .where('at.user_id', '=', userId)
    .where(hasUnread('at'))
    .where(hasNotMuted(sql.ref('n.user_id'), sql.ref('n.author_id')));
