import type { Figure } from '../../bench/scenario.ts';
import { count } from '../../bench/format.ts';
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
}

/** Looks for everything that was acknowledged: text by id. */
export async function audit(place: Place, acknowledged: ReadonlyMap<string, string>): Promise<Audit> {
  const db = await openDatabase(place, () => {});
  try {
    const posts = await db.read.selectFrom('posts').select(['id', 'text']).execute();
    const texts = new Map(posts.map(({ id, text }) => [String(id), text]));
    let miscounted = 0;
    for await (const _ of recount(db.read)) miscounted += 1;
    return {
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter(([id, text]) => texts.get(id) !== text).length,
      doubled: posts.length - new Set(texts.values()).size,
      miscounted,
    };
  } finally {
    await db.close();
  }
}

/** The line of the table that says so. */
export function kept(what: string, { acknowledged, lost, doubled, miscounted }: Audit, atLeast: number): Figure {
  return {
    what,
    measured: `${lost} lost`,
    target: `0 of ≥ ${count(atLeast)}`,
    ok: lost === 0 && doubled === 0 && miscounted === 0 && acknowledged >= atLeast,
    detail: `${count(acknowledged)} acknowledged posts; ${doubled} doubled, ${miscounted} counts wrong`,
  };
}
