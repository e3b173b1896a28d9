import { parseArgs } from 'node:util';
import { count } from '../measurements/numbers.ts';
import { fuzzGuided, type Subject } from './guided.ts';
import { cursor, forms, search } from './pages.ts';
import { imported, markdown, text } from './texts.ts';

/** Each is opened when it is its turn; `cleanup` closes what it needs. */
const subjects: Readonly<Record<string, (cleanup: AsyncDisposableStack) => Subject | Promise<Subject>>> = {
  text: () => text,
  markdown: () => markdown,
  import: () => imported,
  search,
  cursor,
  forms,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(subjects).join() },
    /** How long each subject is fuzzed. */
    minutes: { type: 'string', default: '60' },
    /** A run with the same seed makes the same random changes. */
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

let faults = 0;
for (const name of values.only.split(',')) {
  await using cleanup = new AsyncDisposableStack();
  const subject = await subjects[name]!(cleanup);
  const found = await fuzzGuided(subject, Number(values.seed), Number(values.minutes) * 60_000);
  faults += found.faults.length;
  for (const fault of found.faults) console.log(`${name}: ${fault}`);
  const reached = `${count(found.reached)} branches reached, ${count(found.kept)} inputs kept`;
  console.log(
    `${name}, ${values.minutes} min, seed ${values.seed}: ${count(found.runs)} inputs, ${reached}, ${found.faults.length} faults`,
  );
}
process.exit(faults === 0 ? 0 : 1);
