import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { idempotencyKeySeconds } from './post-rules.ts';

/** A second transaction with the same key waits here until the first has ended. */
const claim = prepared<{ key: string; now: number; expired: number }, { key: string }>((db, slot) =>
  db
    .insertInto('idempotency_keys')
    .values({ key: slot('key'), post_id: null, created_at: slot('now') })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ post_id: null, created_at: (eb) => eb.ref('excluded.created_at') })
        .where('idempotency_keys.created_at', '<=', slot('expired')),
    )
    .returning('key'),
);

const postOf = prepared<{ key: string }, { post_id: number | null }>((db, slot) =>
  db.selectFrom('idempotency_keys').select('post_id').where('key', '=', slot('key')),
);

const storePost = prepared<{ key: string; postId: number }, never>((db, slot) =>
  db
    .updateTable('idempotency_keys')
    .set({ post_id: slot('postId') })
    .where('key', '=', slot('key')),
);

/** Writes a post or invitations once for a key, in any number of requests and processes. Resolves to the id that `write` gave. */
export async function writeOnce(
  tx: Tx,
  { key, now }: { key: string; now: number },
  write: () => Promise<number>,
): Promise<number> {
  const [claimed] = await claim(tx.db, { key, now, expired: now - idempotencyKeySeconds });
  if (!claimed) {
    const [first] = await postOf(tx.db, { key });
    // The response to a write has a cookie that makes other processes wait for the write. The response to the first request with
    // this key may be lost with its cookie. So this transaction writes too, and its response has a later cookie.
    tx.touch(`+post:${first!.post_id!}`);
    return first!.post_id!;
  }
  const postId = await write();
  tx.send(storePost(tx.db, { key, postId }));
  return postId;
}
