import { measureAll } from '../measurements/measure-all.ts';
import type { Figure } from '../measurements/report.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';

const { figures } = await measureAll(
  'faults',
  faults.map((fault) => ({ name: fault.name, measure: () => outcome(fault) })),
);
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
