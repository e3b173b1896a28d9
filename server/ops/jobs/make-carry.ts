import type { Database } from '../../db/database.ts';
import type { JobRun } from './job-runner.ts';
import { countCarried, makePart } from '../../features/carries/carried-posts.ts';
import { findCarry, scopeOf } from '../../features/carries/carry-store.ts';

/** Makes a file part by part. Run again after a crash, it continues after the last part. */
export async function makeCarry(db: Database, { key: id, tx, signal }: JobRun): Promise<void> {
  const carry = await findCarry(db.read, id);
  if (carry?.state !== 'making') return;
  const scope = scopeOf(carry);
  let { below_id: below, done } = carry;
  const total = below === null ? await countCarried(db, scope) : carry.total;
  const change = (changed: Partial<typeof carry>, part?: { no: number; part: string }) =>
    tx(async (opened) => {
      // The row is gone if its person has deleted the account.
      const found = await opened.db.updateTable('carries').set(changed).where('id', '=', id).returning('id').execute();
      if (part && found.length > 0)
        await opened.db
          .insertInto('carry_parts')
          .values({ carry_id: id, ...part })
          .execute();
      return found.length > 0;
    });
  let no = await partsMade(db, id);
  for (let made; (made = await makePart(db, scope, below));) {
    signal.throwIfAborted();
    done += made.posts;
    below = made.belowId;
    if (!(await change({ total: Math.max(total, done), done, below_id: below }, { no, part: made.part }))) return;
    no += 1;
  }
  // Posts may have been written or withdrawn since the count.
  await change({ state: 'ready', total: done });
}

async function partsMade(db: Database, id: string): Promise<number> {
  const last = await db.read
    .selectFrom('carry_parts')
    .select(({ fn }) => fn.max('no').as('no'))
    .where('carry_id', '=', id)
    .executeTakeFirst();
  return (last?.no ?? -1) + 1;
}
