import type { Page, Request } from '@playwright/test';
import { openPage, quiet } from './support/app.ts';
import { codeFiles } from './support/code-files.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expect, test } from './support/test.ts';

/** Limits in bytes: to read the feed, and with the code preloaded when idle. */
const scriptBytes = 95_000;
const scriptBytesWhenIdle = 102_500;
const documentBytes = 20_000;
/** The requests of one visit, until nothing more is requested. */
const requests = 9;

test('reading the feed transfers few bytes', async ({ page }) => {
  const sent = await transferred(page, '/');
  expect(sent['script']).toBeGreaterThan(0);
  expect(sent['script']).toBeLessThan(scriptBytesWhenIdle);
  expect(await bytesOfNamedScripts(page)).toBeLessThan(scriptBytes);
  // The document contains the styles of the first screen.
  expect(sent['document']).toBeLessThan(documentBytes);
});

test('a page needs one script before it reacts', async ({ page, wall }) => {
  await page.route(codeFiles.visitor, () => {});
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(request.url());
  });
  for (const path of ['/', `/posts/${wall.ids.discussed}`, '/search', '/rules']) {
    asked.length = 0;
    await openPage(page, path);
    expect(asked, path).toEqual(await namedScripts(page));
    expect(asked, path).toHaveLength(1);
  }
});

test('the files that parts of the app share are fetched once', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch' && request.url().includes('/assets/')) fetched.push(request.url());
  });
  await openPage(page, '/');
  await quiet(page);
  expect(fetched.length).toBeGreaterThan(1);
  expect(fetched).toEqual([...new Set(fetched)]);
});

test('a visitor gets no code of the signed-in, sends no session request, and gets few files', async ({
  page,
  wall,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const path of ['/', `/posts/${wall.ids.discussed}`, '/search']) {
    asked.length = 0;
    await openPage(page, path);
    await quiet(page);
    expect(asked.filter((url) => /signed-in|desk/.test(url))).toEqual([]);
    expect(asked.filter((url) => url.includes('/api/v1/')).map((url) => new URL(url).pathname)).toEqual([
      '/api/v1/events',
    ]);
    // Each file twice: fetched, then imported from the cache.
    expect(asked.length, path).toBeLessThanOrEqual(requests);
  }
});

test('nothing has to be fetched before the first paint', async ({ page }) => {
  await page.route(/\/assets\//, () => {});
  await page.goto('/', { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  await expect(page.getByRole('navigation', { name: 'Разделы' })).toHaveCSS('position', 'sticky');
});

test('a stylesheet applies once it is loaded', async ({ page }) => {
  // One that applies before keeps WebKit from making boxes for new elements.
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

test('the next visit loads no script and no style again', async ({ page, context, wall }) => {
  await transferred(page, '/');
  await transferred(page, `/posts/${wall.ids.discussed}`);
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

async function bytesOfNamedScripts(page: Page): Promise<number> {
  const named = await namedScripts(page);
  return page.evaluate((named) => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return entries
      .filter(({ name }) => named.includes(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  }, named);
}

/** Compressed bytes of the requested resources, by kind. */
async function transferred(page: Page, path: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  const weighing: Promise<void>[] = [];
  const weigh = async (request: Request) => {
    const { responseBodySize } = await request.sizes();
    sizes[request.resourceType()] = (sizes[request.resourceType()] ?? 0) + responseBodySize;
  };
  const onFinished = (request: Request) => weighing.push(weigh(request));
  page.on('requestfinished', onFinished);
  await openPage(page, path);
  await quiet(page);
  page.off('requestfinished', onFinished);
  await Promise.all(weighing);
  return sizes;
}

test('nothing moves when the rest of the HTML arrives', async ({ page, wall }) => {
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
    const parts = ['<p class="wall-text-links', '</nav>', '<main', '</article>'].map((part) => html.indexOf(part));
    for (const until of [...parts, inBottomBar]) {
      const arrived = await positions(until);
      const part = html.slice(until, until + 20);
      expect(arrived.length, part).toBeGreaterThan(0);
      expect(arrived, part).toEqual(whole.slice(0, arrived.length));
    }
  }
});
