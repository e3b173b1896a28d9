import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trials } from './trials.ts';

for (const { name, lacks, run } of trials.filter(({ shortFormIn }) => !shortFormIn)) {
  const lack = await lacks?.();
  if (lack) {
    process.stderr.write(`The trial ${name} does not run here: ${lack}\n`);
  } else {
    test(`a short trial: ${name}`, async (t) => {
      const figures = await run('short');
      for (const { what, measured, target } of figures) t.diagnostic(`${what}: ${measured} (${target})`);
      assert.deepEqual(
        figures.filter(({ ok }) => !ok),
        [],
      );
    });
  }
}
