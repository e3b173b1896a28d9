import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../server/db/database.ts';

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
