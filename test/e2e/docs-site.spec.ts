import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { writeSite } from '../../scripts/docs/write-site.ts';
import { findViolations } from './support/accessible.ts';
import { desk, phone, tablet } from './support/screens.ts';

test('the documentation is found by words, fits every screen and is accessible in both themes', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'stena-docs-'));
  try {
    await writeSite(folder);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(`file://${folder}/`)) elsewhere.push(request.url());
    });
    await page.goto(`file://${folder}/index.html`);
    await page.getByRole('searchbox', { name: 'Поиск по документации' }).fill('приглашениями');
    const found = page.getByRole('region', { name: 'Найдено' });
    await found.getByRole('link', { name: 'Приглашения', exact: true }).click();
    await expect(page).toHaveURL(/moderation\.html#/);
    await expect(page.getByRole('heading', { name: 'Приглашения' })).toBeInViewport();
    await page.getByRole('searchbox').fill('ъъъ');
    await expect(found).toContainText('ничего не нашлось');
    await page.keyboard.press('Escape');
    await expect(found).toBeHidden();
    await page.getByRole('link', { name: 'Дальше' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Данные людей: руководство оператора');
    await page.getByRole('link', { name: 'Человек просит', exact: true }).click();
    await expect(page).toHaveURL(/privacy\.html#/);
    const screens = [
      ['dark', phone],
      ['light', tablet],
      ['light', desk],
    ] as const;
    for (const [colorScheme, viewport] of screens) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      for (const address of ['mail', 'install']) {
        await page.goto(`file://${folder}/${address}.html`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      }
      expect(await findViolations(page)).toEqual([]);
    }
    expect(elsewhere).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
