import type { Kysely } from 'kysely';
import { isUsername } from '#contract/username.ts';
import { AlreadyTaken, type Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { usernameKey } from './store.ts';

/** A left name is kept from others, and leads to the person who had it, for 30 days. */
export const leftNameSeconds = 30 * 24 * 3_600;

interface NameChange {
  userId: number;
  before: string;
  after: string;
  now: number;
}

/** Records the name that a person has left. Throws AlreadyTaken when the new name is kept for somebody else. */
export async function recordLeftName({ db }: Tx, { userId, before, after, now }: NameChange): Promise<void> {
  const left = usernameKey(before);
  if (left === usernameKey(after)) return;
  // The name was written to `users` before this query: a transaction that left it in the meantime has committed by now.
  if (await isKeptForAnother(db, after, userId, now)) throw new AlreadyTaken('The name was left less than 30 days ago');
  await db.deleteFrom('left_usernames').where('username_key', '=', usernameKey(after)).execute();
  await db
    .insertInto('left_usernames')
    .values({ username_key: left, user_id: userId, left_at: now })
    .onConflict((conflict) => conflict.column('username_key').doUpdateSet({ user_id: userId, left_at: now }))
    .execute();
}

/** Whether somebody else left the name less than 30 days ago. */
export async function isKeptForAnother(
  db: Kysely<Schema>,
  username: string,
  userId: number,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('left_usernames')
    .select('user_id')
    .where('username_key', '=', usernameKey(username))
    .where('user_id', '!=', userId)
    .where('left_at', '>', now - leftNameSeconds)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasLeftNames(db: Kysely<Schema>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('left_usernames')
    .select('user_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The present name of the person who left this one; undefined when 30 days have passed or the account was deleted. */
export async function currentNameOf(db: Kysely<Schema>, leftName: string, now: number): Promise<string | undefined> {
  if (!isUsername(leftName)) return undefined;
  const row = await db
    .selectFrom('left_usernames as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select('u.username')
    .where('l.username_key', '=', usernameKey(leftName))
    .where('l.left_at', '>', now - leftNameSeconds)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.username;
}
