import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../server/db/database.ts';
import { skeletonOf } from '../../server/names/skeleton.ts';

export async function createUser(
  { db }: Tx,
  { username, email, now }: { username: string; email: string; now: number },
): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({
      username,
      username_key: usernameKey(username),
      email,
      created_at: now,
      name_skeleton: skeletonOf(username),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
