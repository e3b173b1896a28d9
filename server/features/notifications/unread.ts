import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted } from '../../db/visibility.ts';

// A notification is unread while its post is further than its person has read the discussion, unless they have muted its
// author. How far they have read and how many are unread is one row of `reading_positions` for each discussion; the sum is
// `users.unread_count`. Nothing else says what is unread. The bell also counts the removals of own posts (`unseen_removals`).

/** Both are SQL expressions, as are the ids. */
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

/** As in the index of the discussions with something unread. */
const hasUnread = (at: 'at') => sql<SqlBool>`${sql.ref(`${at}.unread`)} > 0`;

/** The unread notifications of a person, read without the others. */
export const selectUnread = (db: Kysely<Schema>, userId: number) =>
  db
    .selectFrom('reading_positions as at')
    .innerJoin('notifications as n', (join) =>
      join
        .onRef('n.user_id', '=', 'at.user_id')
        .onRef('n.root_post_id', '=', 'at.list')
        .onRef('n.post_id', '>', 'at.post_id'),
    )
    .where('at.user_id', '=', userId)
    .where(hasUnread('at'))
    .where(hasNotMuted(sql.ref('n.user_id'), sql.ref('n.author_id')));
