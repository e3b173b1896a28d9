import { test as base } from '@playwright/test';
import { type MailServer, startMailServer } from '../../test/smtp.ts';
import { type LivedInWall, openLivedInWall } from './lived-in-wall.ts';
import { Mishaps } from './mishaps.ts';
import type { Settings } from './server-process.ts';
import { openWall, type Wall } from './wall.ts';

interface PerTest {
  /** What is unusual about the server of this test's own wall. */
  settings: Settings;
  /** An empty wall that this test alone writes to. */
  ownWall: Wall;
  mishaps: Mishaps;
  /** All that this test may speak to. */
  walls: Wall[];
}

interface PerWorker {
  /** Takes the mail of all walls. */
  mail: MailServer;
  /** For reading only: the tests share it. Addresses without a host lead there. */
  wall: LivedInWall;
}

export { expect } from '@playwright/test';

export const test = base.extend<PerTest, PerWorker>({
  mail: [
    async ({ browserName: _ }, use) => {
      const mail = await startMailServer();
      await use(mail);
      await mail.close();
    },
    { scope: 'worker' },
  ],
  wall: [
    async ({ mail }, use) => {
      const wall = await openLivedInWall({ SMTP_URL: mail.url });
      await use(wall);
      await wall.close();
    },
    { scope: 'worker' },
  ],
  settings: [{}, { option: true }],
  baseURL: ({ wall }, use) => use(wall.url),
  walls: async ({ wall }, use) => {
    const walls: Wall[] = [wall];
    await use(walls);
    for (const own of walls.slice(1)) await own.close();
  },
  // Named first, walls are closed last: until then the browser may ask them for something.
  context: ({ walls: _, context }, use) => use(context),
  ownWall: async ({ walls, mail, settings }, use) => {
    const wall = await openWall({ SMTP_URL: mail.url, ...settings });
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
