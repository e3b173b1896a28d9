import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/open-database.ts';
import { recount } from './recount.ts';

const maxShown = 100;

process.umask(0o077);
const db = await openDatabase(readConfig(process.env), (error) => console.error(error.message));
let found = 0;
for await (const { what, id, stored, counted } of recount(db.read)) {
  found += 1;
  if (found <= maxShown) console.log(`${what} of ${id}: stored ${stored}, counted ${counted}`);
}
await db.close();
console.log(found === 0 ? 'All counts are right.' : `${found} counts differ.`);
process.exitCode = found === 0 ? 0 : 1;
