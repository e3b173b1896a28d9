import type { Kysely } from 'kysely';
import { readConfig } from '../../config.ts';
import { inSnapshot } from '../../db/open-database.ts';
import type { Schema } from '../../db/schema.ts';
import { openWall } from '../admin/open-wall.ts';
import { explain } from '../admin/terminal.ts';
import { checkEngine } from './check-engine.ts';
import { recount } from './recount.ts';

const maxShown = 100;

process.umask(0o077);
try {
  const config = readConfig(process.env);
  // Opening the wall migrates an older backup.
  const db = await openWall(config);
  await db.close();
  console.log(await checkEngine(config));
  // Without a snapshot, posts written meanwhile would be counted by some of the queries and not by others.
  const found = await inSnapshot(config, printDifferences);
  console.log(found === 0 ? 'Все счётчики верны.' : `Неверных счётчиков: ${found}.`);
  process.exitCode = found === 0 ? 0 : 1;
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function printDifferences(read: Kysely<Schema>): Promise<number> {
  let found = 0;
  for await (const { what, id, stored, counted } of recount(read)) {
    found += 1;
    if (found <= maxShown) console.log(`${what}, номер ${id}: записано ${stored}, насчитано ${counted}`);
  }
  return found;
}
