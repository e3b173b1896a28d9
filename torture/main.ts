import { parseArgs } from 'node:util';
import { report } from '../bench/report.ts';
import type { Figure } from '../bench/scenario.ts';
import type { Trial } from './trial.ts';
import { trials } from './trials.ts';

const names = trials.map(({ name }) => name);
const usage = `npm run torture -- [--only ${names.join(',')}]`;

const figures: Figure[] = [];
for (const trial of chosen()) {
  console.error(`${trial.name}…`);
  figures.push(...(await outcome(trial)));
}
console.log(report(figures));
// Whatever a failed trial has left running is no reason to stay.
process.exit(figures.every(({ ok }) => ok) ? 0 : 1);

/** What could not be tried has not held. */
async function outcome(trial: Trial): Promise<Figure[]> {
  const lack = await trial.lacks?.();
  if (lack) return [{ what: trial.name, measured: 'not tried', target: 'tried', ok: false, detail: lack }];
  try {
    return await trial.run('whole');
  } catch (error) {
    console.error(error);
    return [{ what: trial.name, measured: 'failed', target: 'tried', ok: false, detail: firstLine(error) }];
  }
}

function firstLine(error: unknown): string {
  return String(error).split('\n', 1)[0]!;
}

function chosen(): readonly Trial[] {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const only = values.only?.split(',') ?? names;
  if (!only.every((name) => names.includes(name))) {
    console.error(usage);
    process.exit(1);
  }
  return trials.filter(({ name }) => only.includes(name));
}
