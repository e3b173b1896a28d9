import type { Page } from '@playwright/test';
import { anna, boris } from './support/populated-wall.ts';
import { openPage, quiet } from './support/app.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';

declare global {
  interface Window {
    served: Element[];
  }
}

const screens = [
  '/',
  '/posts/discussed',
  '/posts/nested',
  `/users/${anna}`,
  `/users/${boris}/replies`,
  '/search',
  '/search?q=дождь',
  '/no/such/page',
];

test('every page hydrates without a layout shift and reuses the DOM nodes of the server', async ({
  page,
  wall,
  pageErrors,
}) => {
  pageErrors.expect(/404/);
  await watchShift(page);
  await page.addInitScript(() => {
    // After the HTML, before the deferred module scripts.
    document.addEventListener('readystatechange', () => {
      if (document.readyState === 'interactive') window.served = [...document.querySelectorAll('#root *')];
    });
  });
  for (const screen of screens) {
    await test.step(screen, async () => {
      await openPage(
        page,
        screen.replace(/discussed|nested/, (post) => String(wall.ids[post as 'discussed' | 'nested'])),
      );
      await expectNoShift(page);

      const { served, reused } = await page.evaluate(() => ({
        served: window.served.length,
        reused: window.served.filter((element) => element.isConnected).length,
      }));
      expect(served).toBeGreaterThan(20);
      expect(reused).toBe(served);
    });
  }
});

test('HTML cached for thirty seconds hydrates unchanged', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  const [id] = await ownWall.seed.posts([{ by, text: 'Только что', age: 40 }]);
  await page.clock.install({ time: Date.now() + 29_000 });
  await openPage(page, ownWall.url);
  await expect(permalink(page, id!)).toHaveText('сейчас');
  await stopResponses(page);
  await page.clock.fastForward('00:30');
  await expect(permalink(page, id!)).toHaveText('1 мин.');
});

test('the ages on a cached page are corrected by the server’s clock', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  const [id] = await ownWall.seed.posts([{ by, text: 'Только что', age: 50 }]);
  await page.route(ownWall.url, async (route) => {
    const response = await route.fetch();
    const older = (_: string, madeAt: string) => `"madeAt":${Number(madeAt) - 29}`;
    await route.fulfill({ response, body: (await response.text()).replace(/"madeAt":(\d+)/, older) });
  });
  await openPage(page, ownWall.url);
  await expect(permalink(page, id!)).toHaveText('сейчас');
  await expect(permalink(page, id!)).toHaveText('1 мин.', { timeout: 25_000 });
});

for (const [which, hours] of [
  ['fast', 1],
  ['slow', -1],
] as const) {
  test(`ages follow the server when the visitor’s clock is an hour ${which}`, async ({ page, ownWall }) => {
    const by = await ownWall.seed.person('galina_m');
    const [id] = await ownWall.seed.posts([{ by, text: 'Недавно', age: 310 }]);
    await page.clock.install({ time: Date.now() + hours * 3_600_000 });
    await openPage(page, ownWall.url);
    await expect(permalink(page, id!)).toHaveText('5 мин.');
    await stopResponses(page);
    await page.clock.fastForward('10:00');
    await expect(permalink(page, id!)).toHaveText('15 мин.');
  });
}

test('exact times are shown in the time zone of the visitor', async ({ browser, wall }) => {
  for (const timezoneId of ['Europe/Moscow', 'Asia/Kamchatka']) {
    await test.step(timezoneId, async () => {
      const context = await browser.newContext({ locale: 'ru-RU', timezoneId });
      const page = await context.newPage();
      await page.goto(`${wall.url}/posts/${wall.ids.lines}`);
      const time = page.getByRole('article').locator('time[title]');
      const at = Date.parse((await time.getAttribute('datetime'))!);
      const clock = new Intl.DateTimeFormat('ru', { timeZone: timezoneId, hour: '2-digit', minute: '2-digit' });
      await expect(time).toHaveAttribute(
        'title',
        new RegExp(`^\\d{1,2} \\p{L}+( \\d{4}\\sг\\.)?, ${clock.format(at)}$`, 'u'),
      );
      await context.close();
    });
  }
});

/** The server's clock does not go forward with the page's: the next response would set the page's clock back. */
async function stopResponses(page: Page): Promise<void> {
  await quiet(page);
  await page.route(/\/api\//, () => {});
}

function permalink(page: Page, id: number) {
  return page.locator(`article a[href="/posts/${id}"]`);
}
