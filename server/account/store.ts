import type { Kysely } from 'kysely';
import type { PublicUser } from '#contract/account.ts';
import { isUsername } from '#contract/username.ts';
import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';

/** Names are unique without regard to case; their pattern leaves only ASCII letters. */
const usernameKey = (username: string): string => username.toLowerCase();

const userByKey = prepared<{ key: string }, { id: number; username: string; created_at: number; posts_count: number }>(
  (db, slot) =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'created_at', 'posts_count'])
      .where('username_key', '=', slot('key')),
);

export async function findUser(db: Kysely<Schema>, username: string): Promise<PublicUser | undefined> {
  if (!isUsername(username)) return undefined;
  const [row] = await userByKey(db, { key: usernameKey(username) });
  return (
    row && {
      id: String(row.id),
      username: row.username,
      created_at: row.created_at,
      posts_count: row.posts_count,
    }
  );
}

export async function createUser(
  { db }: Tx,
  { username, email, now }: { username: string; email: string; now: number },
): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({ username, username_key: usernameKey(username), email, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
