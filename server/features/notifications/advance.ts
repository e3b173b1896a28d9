import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { hasNotMuted } from '../../db/visibility.ts';

export interface NewPosition {
  userId: number;
  /** The id of the root post of a discussion, or 0 for the feed. */
  list: number;
  postId: number;
  now: number;
}

const known = prepared<{ userId: number; list: number }, { post_id: number; unread: number | null }>((db, slot) =>
  db
    .selectFrom('reading_positions')
    .select(['post_id', 'unread'])
    .where('user_id', '=', slot('userId'))
    .where('list', '=', slot('list')),
);

/** Counts the notifications that the position passes. It never moves back, so it passes each of them once. */
const countPassed = prepared<{ userId: number; list: number; from: number; to: number }, { n: number }>((db, slot) =>
  db
    .selectFrom('notifications as n')
    .innerJoin('posts as p', 'p.id', 'n.post_id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('n.user_id', '=', slot('userId'))
    .where('n.root_post_id', '=', slot('list'))
    .where('n.post_id', '>', slot('from'))
    .where('n.post_id', '<=', slot('to'))
    .where(hasNotMuted(sql.ref('n.user_id'), sql.ref('n.author_id'))),
);

const moveForward = prepared<NewPosition & { passed: number }, { post_id: number }>((db, slot) =>
  db
    .insertInto('reading_positions')
    .values({
      user_id: slot('userId'),
      list: slot('list'),
      post_id: slot('postId'),
      updated_at: slot('now'),
      unread: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'list'])
        .doUpdateSet({
          post_id: (eb) => eb.ref('excluded.post_id'),
          updated_at: (eb) => eb.ref('excluded.updated_at'),
          unread: (eb) => eb('reading_positions.unread', '-', slot('passed')),
        })
        .whereRef('reading_positions.post_id', '<', 'excluded.post_id'),
    )
    .returning('post_id'),
);

interface Advance {
  /** The position after the move. */
  postId: number;
  isFirst: boolean;
  /** Number of unread notifications that the position has passed. If it is not 0, the caller must call `sumUnread`. */
  passed: number;
}

/**
 * Moves a person's position in a list forward, never back. In a discussion this also marks its notifications as read, and the
 * caller must have locked the person with `lockPeople`.
 */
export async function advance(tx: Tx, to: NewPosition): Promise<Advance> {
  const { userId, list, postId } = to;
  const [at] = await known(tx.db, to);
  if (at && at.post_id >= postId) return { postId: at.post_id, isFirst: false, passed: 0 };
  const [counted] = at?.unread ? await countPassed(tx.db, { userId, list, from: at.post_id, to: postId }) : [];
  const passed = counted?.n ?? 0;
  const [moved] = await moveForward(tx.db, { ...to, passed });
  // Readers of the feed are not locked, so another device may have moved the position further.
  if (!moved) return { postId: (await known(tx.db, to))[0]!.post_id, isFirst: false, passed };
  tx.touch(`reading:${userId}:${list}`);
  return { postId, isFirst: at === undefined, passed };
}
