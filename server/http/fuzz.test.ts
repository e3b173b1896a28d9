import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { fuzz } from '../../test/kit/fuzzing.ts';
import { targets } from '../../test/kit/hostile-requests.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';

/** Many more are sent as a fault of a server. */
const requestsOf = { sqlite: 64, postgres: 32 };

for (const engine of engines) {
  describe(`any request whatever on ${engine}`, () => {
    let wall: Wall;
    before(async () => void (wall = await openWall(engine, { RATE_LIMITS: 'off' })));
    after(() => wall.close());

    for (const target of targets) {
      test(target.name, async () => {
        assert.deepEqual((await fuzz(wall, target, requestsOf[engine])).faults, []);
      });
    }
  });
}
