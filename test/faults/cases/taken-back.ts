import { Random } from '../../../demo/random.ts';
import { count } from '../../measurements/numbers.ts';
import { none } from '../../measurements/report.ts';
import { interleave } from '../../kit/interleavings.ts';
import { type Fault, onEachEngine } from '../fault.ts';

const steps = 10_000;

/** Deletions that are taken back, among all that may happen to a post at the same time. */
export const takenBack: Fault = {
  name: 'taken-back',
  shortFormIn: 'server/features/posts/undo-interleavings.test.ts',
  run: () =>
    onEachEngine(async (engine) => {
      const done = await interleave(engine, steps, new Random(17));
      for (const fault of done.faults.slice(0, 20)) console.error(fault);
      const detail = `${count(done.steps)} steps, ${count(done.restored)} deletions taken back, ${count(done.purged)} purged`;
      const enough = done.steps >= steps && done.restored > 100 && done.purged > 100;
      return [none(`deletions taken back in any order, ${engine}`, done.faults.length, 'faults', detail, { enough })];
    }),
};
