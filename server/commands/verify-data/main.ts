import { readConfig } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { openWall } from '../admin/open-wall.ts';
import { explain } from '../admin/refusal.ts';
import { recount } from './recount.ts';

const maxShown = 100;

process.umask(0o077);
try {
  const db = await openWall(readConfig(process.env));
  const found = await printDifferences(db).finally(() => db.close());
  console.log(found === 0 ? 'All counts are right.' : `${found} counts differ.`);
  process.exitCode = found === 0 ? 0 : 1;
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function printDifferences({ read }: Database): Promise<number> {
  let found = 0;
  for await (const { what, id, stored, counted } of recount(read)) {
    found += 1;
    if (found <= maxShown) console.log(`${what} of ${id}: stored ${stored}, counted ${counted}`);
  }
  return found;
}
