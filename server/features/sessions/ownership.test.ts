import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import {
  callsByStrangers,
  changeWhatIsForeign,
  listWhatIsForeign,
  shownToStrangers,
} from '../../../test/kit/two-people.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`ownership on ${engine}`, () => {
    test('nobody can change, delete or close what belongs to somebody else', async () => {
      await using wall = await openWall(engine);
      const { calls, faults } = await changeWhatIsForeign(wall);
      assert.deepEqual(faults, []);
      assert.deepEqual(calls.toSorted(), callsByStrangers);
    });

    test('own lists contain nothing of anybody else', async () => {
      await using wall = await openWall(engine);
      assert.deepEqual(await listWhatIsForeign(wall), shownToStrangers);
    });
  });
}
