import { parseArgs } from 'node:util';
import { type Figure, report } from '../figures/report.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';

const names = faults.map(({ name }) => name);
const usage = `npm run faults -- [--only ${names.join(',')}]`;

const figures: Figure[] = [];
for (const fault of chosen()) {
  console.error(`${fault.name}…`);
  figures.push(...(await outcome(fault)));
}
console.log(report(figures));
// A failed fault may have left processes or connections behind.
process.exit(figures.every(({ ok }) => ok) ? 0 : 1);

/** A fault that cannot run counts as failed. */
async function outcome(fault: Fault): Promise<Figure[]> {
  const failed = (measured: string, detail: string): Figure[] => [
    { what: fault.name, measured, target: 'run', ok: false, detail },
  ];
  const lack = await fault.lacks?.();
  if (lack) return failed('not run', lack);
  try {
    return await fault.run('whole');
  } catch (error) {
    console.error(error);
    return failed('failed', String(error).split('\n', 1)[0]!);
  }
}

function chosen(): readonly Fault[] {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const only = values.only?.split(',') ?? names;
  if (!only.every((name) => names.includes(name))) {
    console.error(usage);
    process.exit(1);
  }
  return faults.filter(({ name }) => only.includes(name));
}
