import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { countNotifications, lockPeople } from './notified-people.ts';

/** Notifications per transaction, so that other writers do not wait long. */
const batch = 100;

type Table = 'notifications' | 'removed_notifications';

interface Range {
  postId: number;
  /** The id of the last person whose notification is moved. */
  upTo: number;
}

type Moved = Pick<Schema['notifications'], 'user_id' | 'author_id' | 'root_post_id'>;

const firstIn = (table: Table) =>
  prepared<{ postId: number }, Moved>((db, slot) =>
    db
      .selectFrom(table)
      .select(['user_id', 'author_id', 'root_post_id'])
      .where('post_id', '=', slot('postId'))
      .orderBy('user_id')
      .limit(sql<number>`${sql.lit(batch)}`),
  );

const columns = ['user_id', 'no', 'post_id', 'author_id', 'kind', 'root_post_id'] as const;

/** The copies keep their numbers, so that restored notifications have their former positions in the list. */
const copyTo = (to: Table, from: Table) =>
  prepared<Range, never>((db, slot) =>
    db
      .insertInto(to)
      .columns(columns)
      .expression((eb) =>
        eb.selectFrom(from).select(columns).where('post_id', '=', slot('postId')).where('user_id', '<=', slot('upTo')),
      ),
  );

const removeFrom = (table: Table) =>
  prepared<Range, { user_id: number }>((db, slot) =>
    db
      .deleteFrom(table)
      .where('post_id', '=', slot('postId'))
      .where('user_id', '<=', slot('upTo'))
      .returning('user_id'),
  );

const first = { notifications: firstIn('notifications'), removed_notifications: firstIn('removed_notifications') };
const remove = {
  notifications: removeFrom('notifications'),
  removed_notifications: removeFrom('removed_notifications'),
};
const withdraw = copyTo('removed_notifications', 'notifications');
const restore = copyTo('notifications', 'removed_notifications');

/** Moves a batch of the notifications of a post to the table of its state; true when it was the last batch. */
export async function moveNotifications(
  tx: Tx,
  postId: number,
  state: 'shown' | 'removed' | 'deleted',
): Promise<boolean> {
  if (state === 'shown') return moveBatch(tx, postId, 'removed_notifications', state);
  const isDone = await moveBatch(tx, postId, 'notifications', state);
  return state === 'removed' ? isDone : (await moveBatch(tx, postId, 'removed_notifications', state)) && isDone;
}

async function moveBatch(
  tx: Tx,
  postId: number,
  from: Table,
  state: 'shown' | 'removed' | 'deleted',
): Promise<boolean> {
  const people = await first[from](tx.db, { postId });
  if (people.length === 0) return true;
  const { author_id: authorId, root_post_id: rootId } = people[0]!;
  await lockPeople(
    tx,
    people.map(({ user_id: id }) => id),
  );
  const range = { postId, upTo: people.at(-1)!.user_id };
  if (state === 'removed') await withdraw(tx.db, range);
  if (state === 'shown') await restore(tx.db, range);
  const moved = await remove[from](tx.db, range);
  const kept = from === 'notifications' ? -1 : 1;
  if (state !== 'deleted' || from === 'notifications')
    countNotifications(tx, moved, { postId, authorId, rootId, made: 0, kept });
  return people.length < batch;
}
