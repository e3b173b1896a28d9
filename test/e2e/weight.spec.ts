import type { Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { expect, test } from './support/test.ts';

/** Limits in bytes: to read the feed, and with the code preloaded when idle. */
const scriptBytes = 84_000;
const scriptBytesWhenIdle = 91_500;
const documentBytes = 20_000;

test('reading the feed transfers few bytes', async ({ page }) => {
  const sent = await transferred(page, '/');
  expect(sent['script']).toBeGreaterThan(0);
  expect(sent['script']).toBeLessThan(scriptBytesWhenIdle);
  expect(await bytesOfNamedScripts(page)).toBeLessThan(scriptBytes);
  // The document contains the styles of the first screen.
  expect(sent['document']).toBeLessThan(documentBytes);
});

test('the page preloads every script it needs, without a chain of requests', async ({ page }) => {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(request.url());
  });
  await openPage(page, '/');
  expect(new Set(asked)).toEqual(new Set(await namedScripts(page)));
});

test('nothing has to be fetched before the first paint', async ({ page }) => {
  await page.route(/\/assets\//, () => {});
  await page.goto('/', { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  await expect(page.getByRole('navigation', { name: 'Разделы' })).toHaveCSS('position', 'sticky');
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
  page.on('requestfinished', (request) => {
    const weigh = async () => {
      const { responseBodySize } = await request.sizes();
      sizes[request.resourceType()] = (sizes[request.resourceType()] ?? 0) + responseBodySize;
    };
    weighing.push(weigh());
  });
  await openPage(page, path);
  await page.waitForLoadState('networkidle');
  await Promise.all(weighing);
  return sizes;
}
