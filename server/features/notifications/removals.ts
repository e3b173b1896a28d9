import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { sumUnread } from './notified-people.ts';

// The row of a removed post is also its author's notification of the removal, until the post is restored or its author deletes it.

const removalOf = prepared<{ userId: number; postId: number }, { removed_at: number }>((db, slot) =>
  db
    .selectFrom('removed_posts')
    .select('removed_at')
    .where('id', '=', slot('postId'))
    .where('user_id', '=', slot('userId')),
);

/** The latest removals that the person has not seen. `told_at`: when the letter about the removal was written. */
export const latestUnseen = (db: Kysely<Schema>, userId: number, limit: number) =>
  db
    .selectFrom('removed_posts')
    .select(['text', 'reason', 'told_at'])
    .where('user_id', '=', userId)
    .where('unseen', '=', sql.lit(1))
    .orderBy('removed_at', 'desc')
    .limit(limit)
    .execute();

/** Records that a letter of `writtenAt` was about the person's unseen removals. */
export const noteRemovalLetter = ({ db }: Tx, userId: number, writtenAt: number) =>
  db
    .updateTable('all_posts')
    .set({ told_at: writtenAt })
    .where('user_id', '=', userId)
    .where('unseen', '=', sql.lit(1))
    .where('removed_at', '<=', writtenAt)
    .execute();

/** Marks the removals up to that of a post as seen. False when the person has no such post. */
export async function seeRemovals(tx: Tx, userId: number, postId: number): Promise<boolean> {
  const [removal] = await removalOf(tx.db, { userId, postId });
  if (!removal) return false;
  const seen = await tx.db
    .updateTable('all_posts')
    .set({ unseen: 0 })
    .where('user_id', '=', userId)
    .where('unseen', '=', sql.lit(1))
    .where('removed_at', '<=', removal.removed_at)
    .returning('id')
    .execute();
  if (seen.length > 0) await sumUnread(tx, userId);
  return true;
}
