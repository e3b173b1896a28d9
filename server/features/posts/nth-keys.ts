import { type Kysely, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';

const one = sql<number>`1`;

/** The key that has exactly `skip` newer ones in a list. Reads only the index. */
export type NthKey<Owner extends string> = (
  db: Kysely<Schema>,
  params: Record<Owner | 'skip', number>,
) => Promise<Array<{ key: number }>>;

export const nthPostOf: NthKey<'userId'> = prepared((db, slot) =>
  db
    .selectFrom('posts')
    .select('id as key')
    .where('replied_post_id', 'is', null)
    .where('user_id', '=', slot('userId'))
    .orderBy('id', 'desc')
    .limit(one)
    .offset(slot('skip')),
);

export const nthReplyTo: NthKey<'postId'> = prepared((db, slot) =>
  db
    .selectFrom('posts')
    .select('id as key')
    .where('replied_post_id', '=', slot('postId'))
    .orderBy('id', 'desc')
    .limit(one)
    .offset(slot('skip')),
);

export const nthReplyOf: NthKey<'userId'> = prepared((db, slot) =>
  db
    .selectFrom('posts')
    .select('id as key')
    .where('replied_post_id', 'is not', null)
    .where('user_id', '=', slot('userId'))
    .orderBy('id', 'desc')
    .limit(one)
    .offset(slot('skip')),
);

export const nthLikedBy: NthKey<'userId'> = prepared((db, slot) =>
  db
    .selectFrom('likes')
    .select('id as key')
    .where('user_id', '=', slot('userId'))
    .orderBy('id', 'desc')
    .limit(one)
    .offset(slot('skip')),
);

export const nthNotificationOf: NthKey<'userId'> = prepared((db, slot) =>
  db
    .selectFrom('notifications')
    .select('no as key')
    .where('user_id', '=', slot('userId'))
    .orderBy('no', 'desc')
    .limit(one)
    .offset(slot('skip')),
);
