import { type Kysely, sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { isNotDeleted } from '../db/visibility.ts';

const newestRoot = prepared<object, { id: number }>((db) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('replied_post_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(sql<number>`1`),
);

/** The id of the newest root post; 0 on an empty wall. */
export async function newestRootPost(db: Kysely<Schema>): Promise<number> {
  const [post] = await newestRoot(db, {});
  return post?.id ?? 0;
}

const newestUser = prepared<object, { id: number }>((db) =>
  db
    .selectFrom('users')
    .select('id')
    .orderBy('id', 'desc')
    .limit(sql<number>`1`),
);

/** The id of the newest account; 0 on an empty wall. */
export async function newestAccount(db: Kysely<Schema>): Promise<number> {
  const [user] = await newestUser(db, {});
  return user?.id ?? 0;
}

/** Accounts with root posts and with ids from `from` up to but not including `to`. */
export const authorsBetween = prepared<{ from: number; to: number }, { id: number; username: string }>((db, slot) =>
  db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', '>=', slot('from'))
    .where('id', '<', slot('to'))
    .where('posts_count', '>', sql<number>`0`)
    .where(isNotDeleted('users'))
    .orderBy('id'),
);

/** Root posts with ids from `from` up to but not including `to`, oldest first. */
export const rootPostsBetween = prepared<{ from: number; to: number }, { id: number; created_at: number }>((db, slot) =>
  db
    .selectFrom('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u')))
    .select(['p.id', 'p.created_at'])
    .where('p.replied_post_id', 'is', null)
    .where('p.id', '>=', slot('from'))
    .where('p.id', '<', slot('to'))
    .orderBy('p.id'),
);
