import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted } from '../../db/visibility.ts';
import { advance } from './advance.ts';
import { lockPeople, sumUnread } from './notified-people.ts';
import { seeRemovals } from './removals.ts';
import { selectUnread } from './unread.ts';

const counted = prepared<{ userId: number }, { unread_count: number; unseen_removals: number }>((db, slot) =>
  db.selectFrom('users').select(['unread_count', 'unseen_removals']).where('id', '=', slot('userId')),
);

/** The number of unread notifications of posts by authors who are not muted. */
export async function countUnreadPosts(db: Kysely<Schema>, userId: number): Promise<number> {
  const [row] = await counted(db, { userId });
  return row!.unread_count;
}

/** Unread notifications of posts, and removals of own posts that the person has not seen. */
export async function countUnread(db: Kysely<Schema>, userId: number): Promise<number> {
  const [row] = await counted(db, { userId });
  return row!.unread_count + row!.unseen_removals;
}

const numberOf = prepared<{ userId: number; postId: number }, { no: number }>((db, slot) =>
  db
    .selectFrom('notifications as n')
    .innerJoin('posts as p', 'p.id', 'n.post_id')
    .select('n.no')
    .where('n.post_id', '=', slot('postId'))
    .where('n.user_id', '=', slot('userId')),
);

const unreadUpTo = prepared<{ userId: number; no: number }, { list: number; post_id: number }>((db, slot) =>
  selectUnread(db, slot('userId'))
    .where('n.no', '<=', slot('no'))
    .select((eb) => ['at.list', eb.fn.max('n.post_id').as('post_id')])
    .groupBy('at.list')
    .orderBy('at.list'),
);

/**
 * Marks the notifications up to that of a post as read, by moving the positions in their discussions. If the post is a removed
 * post of the person, marks the removals up to it as seen. False when it is neither.
 */
export async function readUpTo(
  tx: Tx,
  { userId, postId, now }: { userId: number; postId: number; now: number },
): Promise<boolean> {
  await lockPeople(tx, [userId]);
  const [notification] = await numberOf(tx.db, { userId, postId });
  if (!notification) return seeRemovals(tx, userId, postId);
  const discussions = await unreadUpTo(tx.db, { userId, no: notification.no });
  for (const { list, post_id: upTo } of discussions) await advance(tx, { userId, list, postId: upTo, now });
  if (discussions.length > 0) await sumUnread(tx, userId);
  return true;
}

const recountWith = prepared<{ userId: number; authorId: number }, never>((db, slot) =>
  db
    .updateTable('reading_positions')
    .set({
      unread: sql<number>`(
        select count(*) from notifications n join posts p on p.id = n.post_id
        where n.user_id = reading_positions.user_id and n.root_post_id = reading_positions.list
          and n.post_id > reading_positions.post_id and ${hasNotMuted(sql.ref('n.user_id'), sql.ref('n.author_id'))})`,
    })
    .where('user_id', '=', slot('userId'))
    .where('list', 'in', (eb) =>
      eb
        .selectFrom('notifications as n')
        .select('n.root_post_id')
        .where('n.user_id', '=', slot('userId'))
        .where('n.author_id', '=', slot('authorId')),
    ),
);

/** Counts unread notifications again in the discussions with notifications by an author whom the person has muted or unmuted. */
export async function recountUnread(tx: Tx, who: { userId: number; authorId: number }): Promise<void> {
  await recountWith(tx.db, who);
  await sumUnread(tx, who.userId);
}
