import { sql } from 'kysely';
import type { Figure } from '../../bench/scenario.ts';
import { count } from '../../bench/format.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { recount } from '../../server/verify-data/recount.ts';
import type { Place } from '../../test/engines.ts';

export interface Audit {
  acknowledged: number;
  /** Acknowledged, and not there as they were written. */
  lost: number;
  /** Texts that stand there more than once. */
  doubled: number;
  /** Kept counts that differ from what is there. */
  miscounted: number;
  /** The database itself is no longer whole. */
  damaged: boolean;
}

/** Looks for everything that was acknowledged: text by id. */
export async function audit(place: Place, acknowledged: ReadonlyMap<string, string>): Promise<Audit> {
  const db = await openDatabase(place, () => {});
  try {
    return await auditOpen(db, acknowledged);
  } finally {
    await db.close();
  }
}

export async function auditOpen(db: Database, acknowledged: ReadonlyMap<string, string>): Promise<Audit> {
  const posts = await db.read.selectFrom('posts').select(['id', 'text']).execute();
  const texts = new Map(posts.map(({ id, text }) => [String(id), text]));
  let miscounted = 0;
  for await (const _ of recount(db.read)) miscounted += 1;
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter(([id, text]) => texts.get(id) !== text).length,
    doubled: posts.length - new Set(texts.values()).size,
    miscounted,
    damaged: !(await isWhole(db)),
  };
}

/** PostgreSQL looks after its own files. */
async function isWhole({ engine, read }: Database): Promise<boolean> {
  if (engine === 'postgres') return true;
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(read);
  return rows.every(({ integrity_check: found }) => found === 'ok');
}

/** What several audits of one wall have found together; each knew at least as much as the one before. */
export function together(audits: readonly Audit[]): Audit {
  const sum = (key: 'lost' | 'doubled' | 'miscounted'): number =>
    audits.reduce((total, found) => total + found[key], 0);
  return {
    acknowledged: Math.max(0, ...audits.map(({ acknowledged }) => acknowledged)),
    lost: sum('lost'),
    doubled: sum('doubled'),
    miscounted: sum('miscounted'),
    damaged: audits.some(({ damaged }) => damaged),
  };
}

/** The line of the table that says so. */
export function kept(what: string, found: Audit, atLeast: number): Figure {
  const { acknowledged, lost, doubled, miscounted, damaged } = found;
  return {
    what,
    measured: damaged ? 'damaged' : `${lost} lost`,
    target: `0 of ≥ ${count(atLeast)}`,
    ok: lost === 0 && doubled === 0 && miscounted === 0 && !damaged && acknowledged >= atLeast,
    detail: `${count(acknowledged)} acknowledged posts; ${doubled} doubled, ${miscounted} counts wrong`,
  };
}
