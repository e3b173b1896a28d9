import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../kit/node-process.ts';
import { fill, isFilled, type Runs } from './fill.ts';
import { type Kind, readRun, type Run } from './record.ts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
const runs: Runs = { bench: lastWhole('bench'), faults: lastWhole('faults') };
const documents = ['README.md', 'README.en.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];

for (const name of documents.filter((file) => file.endsWith('.md'))) {
  const file = join(root, name);
  const document = readFileSync(file, 'utf8');
  if (isFilled(document, runs)) continue;
  if (check) {
    console.error(`${name} does not have the figures of docs/figures; npm run figures writes them.`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, fill(document, runs));
    console.log(`Filled ${name}`);
  }
}

/** The last run of everything, which is committed. */
function lastWhole(kind: Kind): Run | undefined {
  const file = join(root, 'docs/figures', `${kind}.json`);
  return existsSync(file) ? readRun(file) : undefined;
}
