import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { recordReading } from '../../live/change-log.ts';

export interface Notification {
  /** The person whose post was answered. */
  userId: number;
  postId: number;
  authorId: number;
}

const nextNumber = prepared<{ userId: number }, { notifications_made: number }>((db, slot) =>
  db
    .updateTable('users')
    .set((eb) => ({
      notifications_made: eb('notifications_made', '+', 1),
      notifications_count: eb('notifications_count', '+', 1),
    }))
    .where('id', '=', slot('userId'))
    .returning('notifications_made'),
);

const insertNotification = prepared<Notification & { no: number }, never>((db, slot) =>
  db.insertInto('notifications').values({
    user_id: slot('userId'),
    no: slot('no'),
    post_id: slot('postId'),
    author_id: slot('authorId'),
  }),
);

/** Numbers the notifications of a person, whose row is locked until the end of the transaction. */
export async function addNotification({ db }: Tx, notification: Notification): Promise<void> {
  const [row] = await nextNumber(db, notification);
  await insertNotification(db, { ...notification, no: row!.notifications_made });
}

const deleteRow = prepared<{ postId: number }, { user_id: number }>((db, slot) =>
  db.deleteFrom('notifications').where('post_id', '=', slot('postId')).returning('user_id'),
);

const countNotifications = prepared<{ userId: number; change: number }, never>((db, slot) =>
  db
    .updateTable('users')
    .set((eb) => ({ notifications_count: eb('notifications_count', '+', slot('change')) }))
    .where('id', '=', slot('userId')),
);

/** Resolves to the person who had the notification; undefined for a reply to an own post. */
export async function deleteNotification({ db }: Tx, postId: number): Promise<number | undefined> {
  const [row] = await deleteRow(db, { postId });
  if (row) await countNotifications(db, { userId: row.user_id, change: -1 });
  return row?.user_id;
}

/** Restores a notification under its old number, so that a read one does not become unread. */
export async function restoreNotification({ db }: Tx, notification: Notification & { no: number }): Promise<void> {
  await insertNotification(db, notification);
  await countNotifications(db, { userId: notification.userId, change: 1 });
}

/** Counting stops here: a larger number tells people nothing more. */
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
        .where((of) =>
          of.not(
            of.exists(
              of
                .selectFrom('mutes as m')
                .select('m.muted_id')
                .whereRef('m.user_id', '=', 'n.user_id')
                .whereRef('m.muted_id', '=', 'n.author_id'),
            ),
          ),
        )
        .limit(sql<number>`${sql.lit(countedTo)}`)
        .as('unread'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n')),
);

/** The number of unread notifications, without those of muted authors, up to `countedTo`. */
export async function countUnread(db: Kysely<Schema>, userId: number): Promise<number> {
  const [row] = await unread(db, { userId });
  return row!.n;
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

/** Marks the notifications up to a post as read. False when the person has no notification of that post. */
export async function readUpTo(tx: Tx, userId: number, postId: number, now: number): Promise<boolean> {
  const [notification] = await numberOf(tx.db, { userId, postId });
  if (!notification) return false;
  const [moved] = await readTo(tx.db, { userId, no: notification.no });
  if (moved) await recordReading(tx, userId, now);
  return true;
}
