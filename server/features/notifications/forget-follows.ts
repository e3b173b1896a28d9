import type { Kysely } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

/** Discussions that are looked at together. */
const rootsAtOnce = 200;
/** Rows per transaction, so that other writers do not wait long. */
const batch = 500;

/**
 * Removes the follows of discussions of which nothing is left. A discussion goes on without its root post while there are
 * replies, and a withdrawn post may be restored.
 */
export async function forgetFollows(read: Kysely<Schema>, { tx }: Pick<Database, 'tx'>): Promise<void> {
  for (let after = 0; ;) {
    const rows = await read
      .selectFrom('follows')
      .select('root_post_id as id')
      .distinct()
      .where('root_post_id', '>', after)
      .orderBy('root_post_id')
      .limit(rootsAtOnce)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return;
    after = ids.at(-1)!;
    const left = new Set((await existing(read, ids)).map(({ id }) => id));
    for (const id of new Set(ids).difference(left)) while (await forgetSome({ tx }, id));
  }
}

const existing = (read: Kysely<Schema>, ids: readonly number[]) =>
  read
    .selectFrom('posts')
    .select('id')
    .where('id', 'in', ids)
    .unionAll(read.selectFrom('removed_posts').select('id').where('id', 'in', ids))
    .unionAll(read.selectFrom('thread_gaps').select('id').where('id', 'in', ids))
    .execute();

/** Resolves to whether there may be more. */
function forgetSome({ tx }: Pick<Database, 'tx'>, rootId: number): Promise<boolean> {
  return tx(async ({ db }) => {
    const removed = await db
      .deleteFrom('follows')
      .where('root_post_id', '=', rootId)
      .where('user_id', 'in', (eb) =>
        eb.selectFrom('follows').select('user_id').where('root_post_id', '=', rootId).orderBy('user_id').limit(batch),
      )
      .returning('user_id')
      .execute();
    return removed.length === batch;
  });
}
