import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { keptKeySeconds } from './rules.ts';

/** Whoever comes second with a key waits here until the first is done. */
const claim = prepared<{ key: string; now: number; outlived: number }, { key: string }>((db, slot) =>
  db
    .insertInto('idempotency_keys')
    .values({ key: slot('key'), post_id: null, created_at: slot('now') })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ post_id: null, created_at: (eb) => eb.ref('excluded.created_at') })
        .where('idempotency_keys.created_at', '<=', slot('outlived')),
    )
    .returning('key'),
);

const postOf = prepared<{ key: string }, { post_id: number | null }>((db, slot) =>
  db.selectFrom('idempotency_keys').select('post_id').where('key', '=', slot('key')),
);

const keep = prepared<{ key: string; postId: number }, never>((db, slot) =>
  db
    .updateTable('idempotency_keys')
    .set({ post_id: slot('postId') })
    .where('key', '=', slot('key')),
);

/** Writes a post once for a key, however often and at how many processes it is asked; resolves to the post's id. */
export async function once(
  tx: Tx,
  { key, now }: { key: string; now: number },
  write: () => Promise<number>,
): Promise<number> {
  const [claimed] = await claim(tx.db, { key, now, outlived: now - keptKeySeconds });
  if (!claimed) {
    const [first] = await postOf(tx.db, { key });
    return first!.post_id!;
  }
  const postId = await write();
  await keep(tx.db, { key, postId });
  return postId;
}
