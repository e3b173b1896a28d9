import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { preview } from 'vite';
import { root } from '../kit/node-process.ts';
import { phone } from './support/screens.ts';

test('the documentation is built, found by words, fits a phone and asks no other host', async ({ page }) => {
  await promisify(execFile)('npm', ['run', 'docs'], { cwd: root });
  const server = await preview({
    root,
    configFile: false,
    appType: 'mpa',
    build: { outDir: 'dist/docs' },
    preview: { host: '127.0.0.1', port: 0 },
  });
  try {
    const url = server.resolvedUrls!.local[0]!;
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) elsewhere.push(request.url());
    });
    await page.goto(url);
    await page.getByRole('button', { name: 'Поиск' }).click();
    await page.getByRole('searchbox').fill('приглашения');
    await page
      .getByRole('link', { name: /Приглашения/ })
      .first()
      .click();
    await expect(page).toHaveURL(/docs\/guide\/moderation.*#/);
    await expect(page.getByRole('heading', { name: 'Приглашения' })).toBeInViewport();
    await page.setViewportSize(phone);
    for (const path of ['docs/guide/mail', 'docs/guide/install', 'docs/reliability']) {
      await page.goto(`${url}${path}.html`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
    expect(elsewhere).toEqual([]);
  } finally {
    await server.close();
  }
});
