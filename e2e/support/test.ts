import { test as base } from '@playwright/test';
import { type LivedInWall, openLivedInWall } from './lived-in-wall.ts';
import { Mishaps } from './mishaps.ts';
import { openWall, type Wall } from './wall.ts';

interface PerTest {
  /** An empty wall that this test alone writes to. */
  ownWall: Wall;
  mishaps: Mishaps;
  /** All that this test may speak to. */
  walls: Wall[];
}

interface PerWorker {
  /** For reading only: the tests share it. Addresses without a host lead there. */
  wall: LivedInWall;
}

export { expect } from '@playwright/test';

export const test = base.extend<PerTest, PerWorker>({
  wall: [
    async ({ browserName: _ }, use) => {
      const wall = await openLivedInWall();
      await use(wall);
      await wall.close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ wall }, use) => use(wall.url),
  walls: async ({ wall }, use) => {
    const walls: Wall[] = [wall];
    await use(walls);
    for (const own of walls.slice(1)) await own.close();
  },
  // Named first, walls are closed last: until then the browser may ask them for something.
  context: ({ walls: _, context }, use) => use(context),
  ownWall: async ({ walls }, use) => {
    const wall = await openWall();
    walls.push(wall);
    await use(wall);
  },
  mishaps: [
    async ({ context, walls }, use) => {
      const mishaps = new Mishaps(context, (origin) => walls.some(({ url }) => url === origin));
      await use(mishaps);
      mishaps.check();
    },
    { auto: true },
  ],
});
