import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { interleave } from '../../../test/kit/interleavings.ts';
import { Random } from '../../../demo/random.ts';

for (const engine of engines) {
  test(`deletions, restorations, likes, replies and reports in any order leave no difference, on ${engine}`, async (t) => {
    const { steps, restored, purged, faults } = await interleave(engine, 400, new Random(7));
    assert.deepEqual(faults, []);
    assert.ok(restored > 0 && purged > 0);
    t.diagnostic(`${steps} steps, ${restored} restored, ${purged} purged`);
  });
}
