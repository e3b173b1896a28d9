import type { Kysely } from 'kysely';
import type { PublicUser } from '#contract/account.ts';
import { isUsername } from '#contract/username.ts';
import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { newUsername } from './rules.ts';

/** Names are unique without regard to case; their pattern leaves only ASCII letters. */
export const usernameKey = (username: string): string => username.toLowerCase();

const userByKey = prepared<{ key: string }, { id: number; username: string; created_at: number; posts_count: number }>(
  (db, slot) =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'created_at', 'posts_count'])
      .where('username_key', '=', slot('key'))
      .where('deleted_at', 'is', null),
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

const idByEmail = prepared<{ email: string }, { id: number }>((db, slot) =>
  db.selectFrom('users').select('id').where('email', '=', slot('email')),
);

export async function findUserIdByEmail(db: Kysely<Schema>, email: string): Promise<number | undefined> {
  const [row] = await idByEmail(db, { email });
  return row?.id;
}

/** Locks an account until the end of the transaction; resolves to its address by the time the row is free. */
export async function lockEmail({ db }: Tx, id: number): Promise<string> {
  const { email } = await db
    .updateTable('users')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirstOrThrow();
  return email;
}

/** The account of an address; a new one gets a name of its own until its owner chooses one. */
export async function findOrCreateUser(
  { db }: Tx,
  email: string,
  now: number,
): Promise<{ userId: number; isNew: boolean }> {
  for (;;) {
    const known = await findUserIdByEmail(db, email);
    if (known !== undefined) return { userId: known, isNew: false };
    const username = newUsername();
    // Somebody may have taken the address, or chance the name, a moment ago: then the next look finds the one or
    // tries another of the other.
    const created = await db
      .insertInto('users')
      .values({ username, username_key: usernameKey(username), email, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created) return { userId: created.id, isNew: true };
  }
}

export interface CurrentUser {
  id: string;
  username: string;
  email: string;
}

const userById = prepared<{ id: number }, { username: string; email: string }>((db, slot) =>
  db.selectFrom('users').select(['username', 'email']).where('id', '=', slot('id')).where('deleted_at', 'is', null),
);

export async function findCurrentUser(db: Kysely<Schema>, id: number): Promise<CurrentUser | undefined> {
  const [row] = await userById(db, { id });
  return row && { id: String(id), username: row.username, email: row.email };
}

/** Whether a name belongs to somebody else, or did: names are given once. */
export async function isNameTaken(db: Kysely<Schema>, username: string, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username))
    .where('id', '!=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Throws AlreadyTaken when somebody else has the name. */
export async function renameUser(tx: Tx, id: number, username: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ username, username_key: usernameKey(username) })
    .where('id', '=', id)
    .execute();
  tx.touch(`user:${id}`);
}

/** Throws AlreadyTaken when somebody else has the address. */
export async function changeEmail({ db }: Tx, id: number, email: string): Promise<void> {
  await db.updateTable('users').set({ email }).where('id', '=', id).execute();
}

/** Hides an account and all it has written, and frees its address; its name is never given again. */
export async function hideUser(tx: Tx, id: number, now: number): Promise<void> {
  await tx.db.deleteFrom('email_changes').where('user_id', '=', id).execute();
  await tx.db
    .updateTable('users')
    .set({ email: `deleted ${id}`, deleted_at: now })
    .where('id', '=', id)
    .execute();
  tx.touch('feed', `user:${id}`, `posts-of:${id}`);
}
