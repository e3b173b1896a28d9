import type { Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';

interface Manifest {
  id: string;
  display: string;
  icons: { src: string; sizes: string; purpose: string }[];
}

test('the app is installable', async ({ page }) => {
  await page.goto('/');
  const devtools = await page.context().newCDPSession(page);
  const { data, errors } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data!) as Manifest;
  expect(manifest).toMatchObject({ id: '/', start_url: '/', display: 'standalone', short_name: 'Стена' });
  const raster = manifest.icons.filter(({ sizes }) => sizes !== 'any');
  expect(raster.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '192x192 maskable',
    '512x512 maskable',
  ]);
  for (const { src, sizes } of raster) expect(await sizeOf(page, src), src).toBe(sizes);
  expect(await sizeOf(page, '/apple-touch-icon.png')).toBe('180x180');
  expect(await sizeOf(page, '/favicon.ico')).toBe('32x32');
  expect(await sizeOf(page, '/share.png')).toBe('1200x630');
});

test.describe('on a phone with rounded corners and system bars', () => {
  test.use({ viewport: phone, hasTouch: true });

  test('no control is under them', async ({ page }) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setSafeAreaInsetsOverride', {
      insets: { top: 47, left: 20, bottom: 34, right: 20 },
    });
    await openPage(page, '/');
    const bar = page.getByRole('navigation', { name: 'Нижняя панель' });
    for (const control of [
      page.getByRole('banner').getByRole('button', { name: 'Светлая тема' }),
      page.getByRole('combobox', { name: 'Лента' }),
      page.getByRole('article').first().getByRole('button', { name: 'Действия с записью' }),
      bar.getByRole('link', { name: 'Лента' }),
      bar.getByRole('link', { name: 'Настройки' }),
    ]) {
      const box = (await control.boundingBox())!;
      expect(box.y).toBeGreaterThanOrEqual(47);
      expect(box.x).toBeGreaterThanOrEqual(20);
      expect(box.x + box.width).toBeLessThanOrEqual(phone.width - 20);
      expect(box.y + box.height).toBeLessThanOrEqual(phone.height - 34);
    }
    const header = (await page.getByRole('banner').boundingBox())!;
    expect([header.y, header.height]).toEqual([0, 56 + 47]);
    expect((await bar.boundingBox())!.height).toBe(56 + 34);
  });
});

function sizeOf(page: Page, src: string): Promise<string> {
  return page.evaluate(async (src) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    return `${image.naturalWidth}x${image.naturalHeight}`;
  }, src);
}
