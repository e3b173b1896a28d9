import { chromium } from '@playwright/test';
import { openPage } from './support/app.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('Chromium has nothing against installing the wall, and a mask leaves the whole mark of the icon', async ({
  wall,
}, testInfo) => {
  // The headless shell never has: it lacks the code that would judge. Chromium installs nothing from a private window.
  const executablePath = process.env['CHROMIUM_FULL'] ?? '/usr/bin/chromium';
  const args = ['--no-sandbox', '--disable-gpu'];
  const context = await chromium.launchPersistentContext(testInfo.outputPath('profile'), { executablePath, args });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const judge = async () => {
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    return installabilityErrors.map(({ errorId }) => errorId);
  };
  await page.goto(wall.url);
  expect(await judge()).toEqual([]);
  expect((await devtools.send('Page.getAppManifest')).errors).toEqual([]);
  for (const src of ['/icon-maskable-192.png', '/icon-maskable-512.png']) {
    const { corner, farthest } = await page.evaluate(farthestFromCentre, src);
    expect(corner, src).toBe(255);
    // The circle that every mask leaves has a radius of two fifths of the icon.
    expect(farthest, src).toBeLessThan(0.4);
    expect(farthest, src).toBeGreaterThan(0.2);
  }

  await page.route('**/manifest.webmanifest', (route) => route.fulfill({ json: { name: 'Стена' } }));
  await page.reload();
  expect(await judge(), 'this Chromium judges').not.toEqual([]);
  await context.close();
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

/** The opacity of the corner, and how far from the centre the mark reaches, as a share of the width. */
async function farthestFromCentre(src: string): Promise<{ corner: number; farthest: number }> {
  const image = new Image();
  image.src = src;
  await image.decode();
  const { width } = image;
  const canvas = new OffscreenCanvas(width, width).getContext('2d')!;
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, width, width);
  let farthest = 0;
  for (let pixel = 0; pixel < data.length / 4; pixel += 1) {
    const isMark = Math.abs(data[pixel * 4]! - data[0]!) > 60;
    const distance = Math.hypot((pixel % width) + 0.5 - width / 2, Math.floor(pixel / width) + 0.5 - width / 2);
    if (isMark) farthest = Math.max(farthest, distance / width);
  }
  return { corner: data[3]!, farthest };
}
