import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { expect, test } from './support/test.ts';

const scriptBytes = 90_000;
const documentAndStyleBytes = 20_000;

test('reading the feed takes little over the wire', async ({ page }) => {
  const sent = await transferred(page, '/');
  expect(sent['script']).toBeGreaterThan(0);
  expect(sent['script']).toBeLessThan(scriptBytes);
  expect(sent['stylesheet']).toBeGreaterThan(0);
  expect(sent['document']! + sent['stylesheet']!).toBeLessThan(documentAndStyleBytes);
});

test('the page names every script it needs: none waits until another has come', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(request.url());
  });
  await page.goto('/');
  await hydrated(page);
  const named = await page
    .locator('script[src]')
    .evaluateAll((scripts) => scripts.map((script) => (script as HTMLScriptElement).src));
  expect(new Set(asked)).toEqual(new Set(named));
});

test('the next visit fetches no script and no style again', async ({ page, context, wall }) => {
  await transferred(page, '/');
  const again = await context.newPage();
  await again.goto(`${wall.url}/posts/${wall.ids.discussed}`);
  await hydrated(again);
  const assets = await again.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return entries.filter(({ name }) => name.includes('/assets/')).map(({ transferSize }) => transferSize);
  });
  expect(assets.length).toBeGreaterThanOrEqual(2);
  expect(assets.every((bytes) => bytes === 0)).toBe(true);
});

/** Compressed bytes of what the page asked for, by kind. */
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
  await page.goto(path);
  await hydrated(page);
  await page.waitForLoadState('networkidle');
  await Promise.all(weighing);
  return sizes;
}
