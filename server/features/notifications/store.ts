import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted } from '../../db/visibility.ts';
import { seeRemovals, unseenRemovals } from './removals.ts';

/** Counting stops here: a larger number gives people no more information. */
const countedTo = 1_000;

const unread = prepared<{ userId: number }, { n: number }>((db, slot) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('notifications as n')
        .select('n.no')
        .where('n.user_id', '=', slot('userId'))
        .where('n.no', '>', (of) =>
          of.selectFrom('users').select('notifications_read').where('id', '=', slot('userId')),
        )
        .where(hasNotMuted(sql.ref('n.user_id'), sql.ref('n.author_id')))
        .limit(sql<number>`${sql.lit(countedTo)}`)
        .as('unread'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n')),
);

const unseen = unseenRemovals(countedTo);

/** The number of unread notifications of posts, without those of muted authors, up to `countedTo`. */
export async function countUnreadPosts(db: Kysely<Schema>, userId: number): Promise<number> {
  const [row] = await unread(db, { userId });
  return row!.n;
}

/** The same with the removals of the person's own posts that they have not seen. */
export async function countUnread(db: Kysely<Schema>, userId: number): Promise<number> {
  const [posts, [removals]] = await Promise.all([countUnreadPosts(db, userId), unseen(db, { userId })]);
  return posts + removals!.n;
}

const numberOf = prepared<{ userId: number; postId: number }, { no: number }>((db, slot) =>
  db
    .selectFrom('notifications')
    .select('no')
    .where('post_id', '=', slot('postId'))
    .where('user_id', '=', slot('userId')),
);

const readTo = prepared<{ userId: number; no: number }, { id: number }>((db, slot) =>
  db
    .updateTable('users')
    .set({ notifications_read: slot('no') })
    .where('id', '=', slot('userId'))
    .where('notifications_read', '<', slot('no'))
    .returning('id'),
);

/** Marks the notifications up to a post as read, or the removals up to that of a post. False when the person has neither. */
export async function readUpTo(tx: Tx, userId: number, postId: number): Promise<boolean> {
  const [notification] = await numberOf(tx.db, { userId, postId });
  if (!notification) return seeRemovals(tx, userId, postId);
  const [moved] = await readTo(tx.db, { userId, no: notification.no });
  if (moved) tx.touch(`unread:${userId}`);
  return true;
}
