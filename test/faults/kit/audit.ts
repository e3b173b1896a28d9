import { sql } from 'kysely';
import { count, sum } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import type { Database } from '../../../server/db/database.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { recount } from '../../../server/commands/verify-data/recount.ts';
import type { StorageSettings } from '../../kit/engines.ts';
import { holds } from '../fault.ts';

export interface Audit {
  acknowledged: number;
  /** Acknowledged posts that are missing or have another text. */
  lost: number;
  /** Texts that are stored more than once. */
  doubled: number;
  /** Stored counts that differ from a recount. */
  miscounted: number;
  /** Whether the database fails its own integrity check. */
  damaged: boolean;
}

/** Compares the database with the acknowledged texts by id. */
export async function audit(storage: StorageSettings, acknowledged: ReadonlyMap<string, string>): Promise<Audit> {
  const db = await openDatabase(storage, () => {});
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

/** Whether the database is not damaged. PostgreSQL verifies its own files, so only SQLite is checked. */
async function isWhole({ engine, read }: Database): Promise<boolean> {
  if (engine === 'postgres') return true;
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(read);
  return rows.every(({ integrity_check: found }) => found === 'ok');
}

/** One result for audits of several walls, or of one wall, each of which covers the texts of the one before. */
export function together(audits: readonly Audit[], areOfOneWall = false): Audit {
  const all = (key: Exclude<keyof Audit, 'damaged'>): number[] => audits.map((found) => found[key]);
  return {
    acknowledged: areOfOneWall ? Math.max(0, ...all('acknowledged')) : sum(all('acknowledged')),
    lost: sum(all('lost')),
    doubled: sum(all('doubled')),
    miscounted: sum(all('miscounted')),
    damaged: audits.some(({ damaged }) => damaged),
  };
}

export function nothingLost(what: string, found: Audit, atLeast: number): Figure {
  const { acknowledged, lost, doubled, miscounted, damaged } = found;
  const ok = lost === 0 && doubled === 0 && miscounted === 0 && !damaged && acknowledged >= atLeast;
  const detail = `${count(acknowledged)} acknowledged posts; ${doubled} doubled, ${miscounted} counts wrong`;
  return holds(what, ok, damaged ? 'damaged' : `${lost} lost`, `0 of ≥ ${count(atLeast)}`, detail);
}

/** Proves that the audit detects losses: this wall runs without a protection, and must lose posts. */
export const lossDetected = (what: string, target: string, { lost, acknowledged }: Audit): Figure =>
  holds(what, lost > 0, `${lost} lost`, target, `${count(acknowledged)} acknowledged posts`);
