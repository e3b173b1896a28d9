import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import type { Schema } from '../../db/schema.ts';
import type { CarryScope } from './carried-posts.ts';

const daySeconds = 24 * 3_600;
/** A file that has not been made in this time counts as failed. */
const patienceSeconds = 3_600;

export const carryJob = 'make-carry';

export type CarryRow = Selectable<Schema['carries']>;

export const scopeOf = ({ of_id: ofId, with_others: withOthers, year }: CarryRow): CarryScope => ({
  ofId,
  withOthers: withOthers === 1,
  year,
});

/** Asks for a file that is kept for `days`; resolves to its id, which nobody can guess. */
export async function startCarry(
  tx: Tx,
  { userId, now, ofId, withOthers, year, days = 1 }: CarryScope & { userId: number | null; now: number; days?: number },
): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  const row = {
    id,
    user_id: userId,
    of_id: ofId,
    with_others: withOthers ? 1 : 0,
    year,
    made_at: now,
    expires_at: now + days * daySeconds,
  };
  await tx.db.insertInto('carries').values(row).execute();
  await schedule(tx, { name: carryJob, key: id, at: 0 });
  return id;
}

export const findCarry = (db: Kysely<Schema>, id: string): Promise<CarryRow | undefined> =>
  db.selectFrom('carries').selectAll().where('id', '=', id).executeTakeFirst();

/** The newest files that the person has asked for. */
export const carriesOf = (db: Kysely<Schema>, userId: number): Promise<CarryRow[]> =>
  db.selectFrom('carries').selectAll().where('user_id', '=', userId).orderBy('made_at', 'desc').limit(10).execute();

/** The newest file for the monthly letters, in any of these states. */
export const findMonthly = (
  db: Kysely<Schema>,
  states: ReadonlyArray<CarryRow['state']>,
): Promise<CarryRow | undefined> =>
  db
    .selectFrom('carries')
    .selectAll()
    .where('user_id', 'is', null)
    .where('state', 'in', states)
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export function stateOf({ state, made_at: at }: CarryRow, now: number): 'making' | 'ready' | 'failed' {
  if (state === 'ready') return 'ready';
  return now - at > patienceSeconds ? 'failed' : 'making';
}

/** The parts of a file, one after the other. */
export async function* carryParts(db: Kysely<Schema>, id: string): AsyncGenerator<string> {
  for (let no = 0; ; no += 1) {
    const row = await db
      .selectFrom('carry_parts')
      .select('part')
      .where('carry_id', '=', id)
      .where('no', '=', no)
      .executeTakeFirst();
    if (!row) return;
    yield row.part;
  }
}
