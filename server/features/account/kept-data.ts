import type { Kysely } from 'kysely';
import type { ExportedData } from '#contract/account.ts';
import type { Schema } from '../../db/schema.ts';
import { keptSections } from './kept-kinds.ts';
import { countRows, type Person, readRows } from './kept-rows.ts';

export const keptKinds = keptSections.flatMap(({ section, kept }) => kept.map((kind) => ({ section, ...kind })));

/** What is kept about a person. With `withRows` also the rows that have no other section in the file with their data. */
export async function listKeptData(db: Kysely<Schema>, person: Person, withRows = false): Promise<ExportedData[]> {
  const listed: ExportedData[] = [];
  for (const { also: _, rows, ...words } of keptKinds) {
    const kept = { ...words, ...(await countRows(db, rows, person)) };
    listed.push(withRows && rows?.columns ? { ...kept, rows: await readRows(db, rows, rows.columns, person) } : kept);
  }
  return listed;
}
