import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/engines.ts';
import { callsByStrangers, changeWhatIsForeign, listWhatIsForeign, shownToStrangers } from '../../test/two-people.ts';
import { openWall } from '../../test/wall.ts';

for (const engine of engines) {
  describe(`what is whose on ${engine}`, () => {
    test('nobody changes, deletes or closes what is somebody else’s', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const { calls, faults } = await changeWhatIsForeign(wall);
      assert.deepEqual(faults, []);
      assert.deepEqual(calls.toSorted(), callsByStrangers);
    });

    test('what is one’s own is listed to nobody else', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      assert.deepEqual(await listWhatIsForeign(wall), shownToStrangers);
    });
  });
}
