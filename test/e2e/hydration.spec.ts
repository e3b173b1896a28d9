import type { Page, Request } from '@playwright/test';
import { personalPaths } from '../kit/journeys/pages.ts';
import { openStory } from './support/account.ts';
import { openPage, quiet } from './support/app.ts';
import { codeFiles, holdBack } from './support/code-files.ts';
import { anna, boris } from './support/populated-wall.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, nightly, test } from './support/test.ts';

/** Limits in bytes: to read the feed, and with the code preloaded when idle. */
const scriptBytes = 95_000;
const scriptBytesWhenIdle = 102_500;
const documentBytes = 20_000;
/** The requests of one visit: the page, its script, four for each of three parts (a script and styles, each fetched and then applied), events. */
const requests = 15;

test('reading the feed transfers few bytes', async ({ page }) => {
  await openPage(page, '/');
  await quiet(page);
  const asked = await page.requests();
  /** Compressed bytes. */
  const bytesOf = async (isMeant: (request: Request) => boolean) => {
    const sizes = await Promise.all(asked.filter(isMeant).map((each) => each.sizes()));
    return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  };
  const named = await namedScripts(page);
  const ofNamed = await bytesOf((each) => named.includes(each.url()));
  expect(ofNamed).toBeGreaterThan(0);
  expect(ofNamed).toBeLessThan(scriptBytes);
  expect(await bytesOf((each) => each.resourceType() === 'script')).toBeLessThan(scriptBytesWhenIdle);
  // The document contains the styles of the first screen.
  expect(await bytesOf((each) => each.resourceType() === 'document')).toBeLessThan(documentBytes);
});

test('a page needs one script before it reacts', async ({ page, wall }) => {
  await page.route(codeFiles.visitor, () => {});
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(request.url());
  });
  for (const path of ['/', `/posts/${wall.ids.discussed}`, '/rules']) {
    asked.length = 0;
    await openPage(page, path);
    expect(asked, path).toEqual(await namedScripts(page));
    expect(asked, path).toHaveLength(1);
  }
});

test('a visitor gets few files, none of them for the signed-in, and asks for no session', async ({ page, wall }) => {
  const asked: Request[] = [];
  page.on('request', (request) => {
    // The browser requests the icon only if it is not cached.
    if (!request.url().endsWith('/favicon.svg')) asked.push(request);
  });
  const addresses = (path: string, type = '') =>
    asked
      .filter((it) => it.resourceType().includes(type))
      .map((it) => it.url())
      .filter((url) => url.includes(path));
  for (const path of ['/', `/posts/${wall.ids.discussed}`, '/search']) {
    asked.length = 0;
    await openPage(page, path);
    await quiet(page);
    // Parts of the app share files, and each file is fetched once.
    const fetched = addresses('/assets/', 'fetch');
    expect(fetched.length).toBeGreaterThan(1);
    expect(fetched).toEqual([...new Set(fetched)]);
    expect(addresses('').filter((url) => /signed-in|desk/.test(url))).toEqual([]);
    // The HTML of the feed has the right column (docs/decisions/0084).
    const column = path === '/' ? [] : [expect.stringContaining('/posts/discussed?limit=1&aside=true')];
    expect(addresses('/api/v1/').toSorted()).toEqual([expect.stringContaining('/api/v1/events?'), ...column]);
    // Each file twice: fetched, then imported from the cache.
    expect(asked.length, path).toBeLessThanOrEqual(requests + column.length);
  }
});

test('a stylesheet applies once it is loaded', nightly, async ({ page }) => {
  // While a stylesheet that already applies is loading, WebKit makes no boxes for new elements.
  const isHeld = new Promise<() => Promise<void>>((resolve) => {
    void page.route(/visitor-.*\.css$/, (route) => {
      if (route.request().resourceType() !== 'stylesheet') return route.continue();
      resolve(() => route.continue());
    });
  });
  await openPage(page, '/');
  const release = await isHeld;
  const link = page.locator('link[rel=stylesheet][href*=visitor-]');
  const applies = () =>
    link.evaluate(({ media, sheet }: HTMLLinkElement) => matchMedia(sheet?.media.mediaText ?? media).matches);
  expect(await applies()).toBe(false);
  await release();
  await expect.poll(applies).toBe(true);
});

test('the next visit loads no script and no style again', nightly, async ({ page, context, wall }) => {
  for (const path of ['/', `/posts/${wall.ids.discussed}`]) {
    await openPage(page, path);
    await quiet(page);
  }
  const again = await context.newPage();
  await openPage(again, `${wall.url}/posts/${wall.ids.discussed}`);
  const assets = await again.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return entries.filter(({ name }) => name.includes('/assets/')).map(({ transferSize }) => transferSize);
  });
  expect(assets.length).toBeGreaterThanOrEqual(1);
  expect(assets.every((bytes) => bytes === 0)).toBe(true);
});

/** The resources that the page needs to be interactive. */
function namedScripts(page: Page): Promise<string[]> {
  return page
    .locator('script[src]')
    .evaluateAll((scripts) => scripts.map((script) => (script as HTMLScriptElement).src));
}

test('nothing moves when the rest of the HTML arrives', nightly, async ({ page, wall }) => {
  const html = (await (await fetch(wall.url)).text()).replaceAll(/<script.*?<\/script>/gs, '');
  const positions = async (until: number) => {
    await page.route(wall.url, (route) => route.fulfill({ contentType: 'text/html', body: html.slice(0, until) }));
    await page.goto('/');
    const controls = page.locator('nav:has(svg) :is(a, button), header :is(a, button), article:first-of-type');
    const found = await controls.evaluateAll((all) =>
      all.map((control) => {
        const { x, y, width } = control.getBoundingClientRect();
        return [control.textContent, x, y, width];
      }),
    );
    await page.unroute(wall.url);
    return found;
  };
  for (const viewport of [desk, tablet, phone]) {
    await page.setViewportSize(viewport);
    const whole = await positions(html.length);
    const inBottomBar = html.indexOf('</a>', html.indexOf('Нижняя панель')) + '</a>'.length;
    const parts = ['<a href="/about">', '</nav>', '<main', '</article>'].map((part) => html.indexOf(part));
    for (const until of [...parts, inBottomBar]) {
      expect(until).toBeGreaterThan(0);
      const arrived = await positions(until);
      const part = html.slice(until, until + 20);
      expect(arrived.length, part).toBeGreaterThan(0);
      expect(arrived, part).toEqual(whole.slice(0, arrived.length));
    }
  }
});

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
  '/about',
  '/privacy',
  '/no/such/page',
];

test('every page hydrates without a shift on the nodes of the server', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/404/);
  await watchHydration(page);
  for (const screen of screens) {
    await test.step(screen, async () => {
      await openPage(
        page,
        screen.replace('discussed', `${wall.ids.discussed}`).replace('nested', `${wall.ids.nested}`),
      );
      // The buttons of an author's page work as links until their code is here.
      await expectHydrated(page, screen.startsWith('/users/') ? 6 : 0);
    });
  }
});

test('the pages of one person hydrate without a shift on the same nodes', async ({ page, context, ownWall }) => {
  const person = await openStory(context, ownWall);
  await watchHydration(page);
  for (const path of personalPaths(person)) {
    await test.step(path, async () => {
      // Without `all=1` scripts load the rest of the stored data at once, which replaces elements.
      await openPage(page, ownWall.url + (path === '/settings/data' ? `${path}?all=1` : path));
      // With scripts each change is saved at once, without a button.
      await expectHydrated(page, path === '/settings/notifications' ? 1 : 0);
    });
  }
});

const permalink = (page: Page, id: number) => page.locator(`article a[href="/posts/${id}"]`);

// HTML may be cached for thirty seconds. The clock of the page goes on by ten minutes.
for (const [what, age, offsetSeconds, before, after] of [
  ['HTML cached for thirty seconds hydrates unchanged', 35, 29, 'сейчас', '10 мин.'],
  ['ages follow the server when the clock is an hour fast', 310, 3_600, '5 мин.', '15 мин.'],
  ['ages follow the server when the clock is an hour slow', 310, -3_600, '5 мин.', '15 мин.'],
] as const) {
  test(what, nightly, async ({ page, ownWall }) => {
    const by = await ownWall.seed.person('galina_m');
    const [id] = await ownWall.seed.posts([{ by, text: 'Недавно', age }]);
    await page.clock.install({ time: Date.now() + offsetSeconds * 1_000 });
    await openPage(page, ownWall.url);
    await expect(permalink(page, id!)).toHaveText(before);
    // The server's clock does not go forward with the page's: the next response would set the page's clock back.
    await quiet(page);
    await page.route(/\/api\//, () => {});
    await page.clock.fastForward('10:00');
    await expect(permalink(page, id!)).toHaveText(after);
  });
}

test('the ages on a cached page are corrected by the server’s clock', nightly, async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  const [id] = await ownWall.seed.posts([{ by, text: 'Только что', age: 45 }]);
  await page.route(ownWall.url, async (route) => {
    const response = await route.fetch();
    const older = (_: string, madeAt: string) => `"madeAt":${Number(madeAt) - 29}`;
    await route.fulfill({ response, body: (await response.text()).replace(/"madeAt":(\d+)/, older) });
  });
  const held = await holdBack(page, /\/api\//);
  await openPage(page, ownWall.url);
  await expect(permalink(page, id!)).toHaveText('сейчас');
  held.resolve();
  // Without the correction it would take longer than is waited here.
  await expect(permalink(page, id!)).toHaveText('1 мин.');
});

test('exact times are shown in the time zone of the visitor', nightly, async ({ browser, wall }) => {
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

async function watchHydration(page: Page): Promise<void> {
  await watchShift(page);
  await page.addInitScript(() => {
    // When the document is interactive, its HTML is complete and the deferred module scripts have not run.
    document.addEventListener('readystatechange', () => {
      if (document.readyState === 'interactive') window.served = [...document.querySelectorAll('#root *')];
    });
  });
}

async function expectHydrated(page: Page, replaced = 0): Promise<void> {
  await expectNoShift(page);
  const served = await page.evaluate(() => window.served.length);
  expect(served).toBeGreaterThan(20);
  // One main heading, and no level is skipped.
  const levels = await page
    .getByRole('heading')
    .evaluateAll((all) => all.map(({ tagName }) => tagName.slice(1)).join(''));
  expect(levels).toMatch(/^1(23*)*$/);
  const lost = () =>
    page.evaluate(() => window.served.filter((element) => !element.isConnected).map((it) => it.outerHTML));
  // The code of the elements that replace them is loaded after hydration.
  if (replaced > 0) await expect.poll(async () => (await lost()).length).toBe(replaced);
  else expect(await lost()).toEqual([]);
}
