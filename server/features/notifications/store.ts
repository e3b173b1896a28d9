import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { recordReading } from '../../live/change-log.ts';

export interface Notification {
  /** The person whose post was answered, or whose root post is above it. */
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
    kind: 'answer',
  }),
);

/** Numbers the notifications of a person, whose row is locked until the end of the transaction. */
export async function addNotification({ db }: Tx, notification: Notification): Promise<void> {
  const [row] = await nextNumber(db, notification);
  await insertNotification(db, { ...notification, no: row!.notifications_made });
}

const deleteRows = prepared<{ postId: number }, { user_id: number }>((db, slot) =>
  db.deleteFrom('notifications').where('post_id', '=', slot('postId')).returning('user_id'),
);

const countNotifications = prepared<{ userId: number; change: number }, never>((db, slot) =>
  db
    .updateTable('users')
    .set((eb) => ({ notifications_count: eb('notifications_count', '+', slot('change')) }))
    .where('id', '=', slot('userId')),
);

/** Resolves to the people who had a notification of the post. */
export async function deleteNotifications({ db }: Tx, postId: number): Promise<number[]> {
  const rows = await deleteRows(db, { postId });
  return countFor(db, rows, -1);
}

const copy = (from: 'notifications' | 'removed_notifications', to: 'notifications' | 'removed_notifications') =>
  prepared<{ postId: number }, { user_id: number }>((db, slot) =>
    db
      .insertInto(to)
      .columns(['user_id', 'no', 'post_id', 'author_id', 'kind'])
      .expression((eb) =>
        eb
          .selectFrom(from)
          .select(['user_id', 'no', 'post_id', 'author_id', 'kind'])
          .where('post_id', '=', slot('postId')),
      )
      .returning('user_id'),
  );

const copyRemoved = copy('notifications', 'removed_notifications');
const copyBack = copy('removed_notifications', 'notifications');

const deleteRemoved = prepared<{ postId: number }, never>((db, slot) =>
  db.deleteFrom('removed_notifications').where('post_id', '=', slot('postId')),
);

/** Keeps the notifications of a post that is about to be removed. */
export async function keepNotifications({ db }: Tx, postId: number): Promise<void> {
  await copyRemoved(db, { postId });
}

/** Forgets those of a removed post that is deleted for good. */
export async function forgetNotifications({ db }: Tx, postId: number): Promise<void> {
  await deleteRemoved(db, { postId });
}

/** Restores notifications under their old numbers, so that a read one does not become unread. Resolves to their people. */
export async function restoreNotifications(tx: Tx, postId: number): Promise<number[]> {
  const rows = await copyBack(tx.db, { postId });
  await forgetNotifications(tx, postId);
  return countFor(tx.db, rows, 1);
}

/** Locks the rows of people in the order of ids. */
async function countFor(db: Kysely<Schema>, rows: Array<{ user_id: number }>, change: 1 | -1): Promise<number[]> {
  const people = rows.map(({ user_id: id }) => id).toSorted((a, b) => a - b);
  for (const userId of people) await countNotifications(db, { userId, change });
  return people;
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
