import { type Kysely, sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';

export type ChangeRow = Omit<Schema['visible_changes'], 'created_at'>;

const newest = prepared<object, { position: number | null }>((db) =>
  db.selectFrom('visible_changes').select(sql<number | null>`max(position)`.as('position')),
);

/** Up to where changes can be told now. */
export async function latestPosition(db: Kysely<Schema>): Promise<number> {
  const [row] = await newest(db, {});
  return row?.position ?? 0;
}
