import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { openPage } from './support/app.ts';
import { expect, test } from './support/test.ts';

test('a visitor sends no session request', async ({ page, wall }) => {
  const calls = requestsOf(page, '/api/v1/');
  await openPage(page, wall.url);
  await expect.poll(() => calls).toContain('GET /api/v1/events');
  await page.waitForTimeout(5 * limits.scrollLoadMs);
  expect(calls).toEqual(['GET /api/v1/events']);
});

function requestsOf(page: Page, path: string): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith(path)) requests.push(`${request.method()} ${pathname}`);
  });
  return requests;
}
