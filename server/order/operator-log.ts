import type { Kysely, Selectable } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

export interface Action {
  at: number;
  operator: string;
  action: string;
  /** The post's id or the person's name. */
  target?: string;
  reason: string;
  details?: object;
}

/** Goes into the transaction of what was done, so that nothing is done without a trace. */
export async function recordAction({ db }: Tx, { target, details, ...action }: Action): Promise<void> {
  await db
    .insertInto('operator_log')
    .values({ ...action, target: target ?? null, details: details ? JSON.stringify(details) : null })
    .execute();
}

/** Latest first. */
export function listActions(db: Kysely<Schema>, limit: number): Promise<Array<Selectable<Schema['operator_log']>>> {
  return db.selectFrom('operator_log').selectAll().orderBy('id', 'desc').limit(limit).execute();
}
