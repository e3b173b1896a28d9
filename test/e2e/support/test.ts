import { test as base } from '@playwright/test';
import { type MailServer, startMailServer } from '../../kit/smtp.ts';
import { type PopulatedWall, openPopulatedWall } from './populated-wall.ts';
import { PageErrors } from './page-errors.ts';
import { openWall, type Settings, type Wall } from './wall.ts';

interface PerTest {
  /** Settings of the server behind `ownWall`. */
  settings: Settings;
  /** An empty wall for this test alone. */
  ownWall: Wall;
  pageErrors: PageErrors;
  /** The servers that this test may contact. */
  walls: Wall[];
}

interface PerWorker {
  /** Receives the mail of all walls. */
  mail: MailServer;
  /** Shared by the tests, which must not write to it; the base of relative URLs. */
  wall: PopulatedWall;
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
      const wall = await openPopulatedWall({ SMTP_URL: mail.url });
      await use(wall);
      await wall.close();
    },
    // It has a timeout of its own, which does not count against the first test of a worker.
    { scope: 'worker', timeout: 300_000 },
  ],
  settings: [{}, { option: true }],
  baseURL: ({ wall }, use) => use(wall.url),
  walls: async ({ wall }, use) => {
    const walls: Wall[] = [wall];
    await use(walls);
    for (const own of walls.slice(1)) await own.close();
  },
  // Fixtures listed first are torn down last: the browser may still send requests to the walls.
  context: ({ walls: _, context }, use) => use(context),
  ownWall: async ({ walls, mail, settings }, use) => {
    const wall = await openWall({ SMTP_URL: mail.url, ...settings });
    walls.push(wall);
    await use(wall);
  },
  pageErrors: [
    async ({ context, walls }, use) => {
      const pageErrors = new PageErrors(context, (origin) => walls.some(({ url }) => url === origin));
      await use(pageErrors);
      pageErrors.check();
    },
    { auto: true },
  ],
});
