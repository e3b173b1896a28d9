import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../server/db/database.ts';
import { skeletonOf } from '../../server/names/skeleton.ts';

interface NewUser {
  username: string;
  email?: string;
  now: number;
}

/** The row of a person who has just registered. */
export const userRow = ({ username, email = `${username}@example.org`, now }: NewUser) => ({
  username,
  username_key: usernameKey(username),
  name_skeleton: skeletonOf(username),
  email,
  created_at: now,
});

export async function createUser({ db }: Tx, user: NewUser): Promise<number> {
  const { id } = await db.insertInto('users').values(userRow(user)).returning('id').executeTakeFirstOrThrow();
  return id;
}
