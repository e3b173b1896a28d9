import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './faults.ts';

for (const { name, lacks, run } of faults.filter(({ shortFormIn }) => !shortFormIn)) {
  const lack = await lacks?.();
  if (lack) {
    process.stderr.write(`The fault ${name} cannot run here: ${lack}\n`);
  } else {
    test(`withstands ${name}`, async (t) => {
      const figures = await run('short');
      for (const { what, measured, target } of figures) t.diagnostic(`${what}: ${measured} (${target})`);
      assert.deepEqual(
        figures.filter(({ ok }) => !ok),
        [],
      );
    });
  }
}
