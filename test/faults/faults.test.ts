import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hangsAfterMs } from './fault.ts';
import { faults } from './faults.ts';

const runnable: (typeof faults)[number][] = [];
for (const fault of faults.filter(({ shortFormIn }) => !shortFormIn)) {
  const lack = await fault.lacks?.();
  if (lack) process.stderr.write(`The fault ${fault.name} cannot run here: ${lack}\n`);
  else runnable.push(fault);
}

// The tests mostly wait, also for servers to start, so two run at once.
describe('a wall', { concurrency: 2 }, () => {
  for (const { name, run } of runnable) {
    test(`withstands ${name}`, { timeout: 5 * hangsAfterMs }, async (t) => {
      const figures = await run('short');
      for (const { what, measured, target } of figures) t.diagnostic(`${what}: ${measured} (${target})`);
      assert.deepEqual(
        figures.filter(({ ok }) => !ok),
        [],
      );
    });
  }
});
