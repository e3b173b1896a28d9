import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { countNotifications } from '../notifications/notified-people.ts';
import { countUsersPosts, countUsersReplies, type StoredPost } from './post-writes.ts';

// Likes and notifications of a post that is not shown stay in their tables and do not count: people's totals are those of shown posts.

/** People per statement. Between two statements the process answers requests that need no write. */
const peopleAtOnce = 1_000;

interface Part {
  postId: number;
  /** Only people with greater ids. */
  after: number;
}

/** Two transactions with the same people would deadlock if each locked them in another order. SQLite has one writer. */
const lockInOrder = prepared<{ postId: number; authorId: number }, { id: number }>((db, slot) =>
  db
    .selectFrom(
      sql<{ id: number }>`(
        select user_id as id from likes where post_id = ${slot('postId')}
        union select user_id from notifications where post_id = ${slot('postId')}
        union select cast(${slot('authorId')} as bigint)
      )`.as('p'),
    )
    .innerJoin('users as u', 'u.id', 'p.id')
    .select('u.id')
    .orderBy('u.id')
    .forNoKeyUpdate(['u']),
);

const countLikers = prepared<Part & { change: number }, { id: number }>((db, slot) =>
  db
    .updateTable('users')
    .set((eb) => ({ likes_count: eb('likes_count', '+', slot('change')) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('likes')
        .select('user_id')
        .where('post_id', '=', slot('postId'))
        .where('user_id', '>', slot('after'))
        .orderBy('user_id')
        .limit(sql<number>`${sql.lit(peopleAtOnce)}`),
    )
    .returning('id'),
);

const notified = prepared<Part, { user_id: number }>((db, slot) =>
  db
    .selectFrom('notifications')
    .select('user_id')
    .where('post_id', '=', slot('postId'))
    .where('user_id', '>', slot('after'))
    .orderBy('user_id')
    .limit(sql<number>`${sql.lit(peopleAtOnce)}`),
);

/** Counts a post that has become visible (1) or was visible (-1) for its author, for those who like it and for those notified of it. */
export async function countPeopleOf(tx: Tx, post: StoredPost, change: number): Promise<void> {
  const { id: postId, user_id: authorId, parent_post_id: rootId } = post;
  if (tx.engine === 'postgres') await lockInOrder(tx.db, { postId, authorId });
  await inParts(async (after) => {
    const likers = await countLikers(tx.db, { postId, after, change });
    return likers.map(({ id }) => id);
  });
  await inParts(async (after) => {
    const people = await notified(tx.db, { postId, after });
    countNotifications(tx, people, { postId, authorId, rootId: rootId ?? postId, made: 0, stored: change });
    return people.map(({ user_id: id }) => id);
  });
  await (rootId === null ? countUsersPosts : countUsersReplies)(tx.db, { userId: authorId, change });
}

const removing = (table: 'likes' | 'notifications') =>
  prepared<{ postId: number }, { user_id: number }>((db, slot) =>
    db
      .deleteFrom(table)
      .where('post_id', '=', slot('postId'))
      .where('user_id', 'in', (eb) =>
        eb
          .selectFrom(table)
          .select('user_id')
          .where('post_id', '=', slot('postId'))
          .limit(sql<number>`${sql.lit(peopleAtOnce)}`),
      )
      .returning('user_id'),
  );

const removals = [removing('likes'), removing('notifications')];

/** Removes the likes and notifications of a post that is gone for good and counts for nobody any more. */
export async function forgetPeopleOf({ db }: Tx, postId: number): Promise<void> {
  for (const remove of removals) {
    await inParts(async () => (await remove(db, { postId })).map(({ user_id: id }) => id));
  }
}

/** Runs until a part has fewer than `peopleAtOnce` people. `part` resolves to the ids of its people. */
async function inParts(part: (after: number) => Promise<number[]>): Promise<void> {
  for (let after = 0; ;) {
    const ids = await part(after);
    if (ids.length < peopleAtOnce) return;
    after = Math.max(...ids);
    await setImmediate();
  }
}
