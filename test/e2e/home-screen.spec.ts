import { chromium } from '@playwright/test';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { dialogLeft, openPage, reloadPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { nothingMayExecute } from './support/hostile.ts';
import { phone } from './support/screens.ts';
import { dialog } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { callsOf, newPostButton, signInNewPerson, textField } from './support/writing.ts';

test.use({ viewport: phone, hasTouch: true });

test('Chromium may install the wall, and a mask leaves the mark of the icon', async ({ wall }, testInfo) => {
  // The headless shell lacks the code that judges whether a page may be installed. Chromium does not judge pages of a private window.
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

test('on a phone with rounded corners and system bars no control is under them', async ({ page }) => {
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

test.describe('what another app shares', () => {
  nothingMayExecute();

  test('goes below the draft as text, and publishes nothing', async ({ page, ownWall }) => {
    await signInNewPerson(page, ownWall);
    const calls = callsOf(page, 'POST', /\/api\/v1\/posts$/);
    await newPostButton(page).filter({ visible: true }).click();
    await textField(page).fill('Начатое');
    await page.keyboard.press('Escape');
    await dialogLeft(page);
    const hostile = '"><script>pwned()</script><img src=x onerror=pwned()>';
    const address = addresses.newPost.href({}, { title: `${hostile}\0`, url: 'javascript:pwned()' });
    await page.evaluate((address) => {
      const link = Object.assign(document.createElement('a'), { href: address, textContent: 'ссылка' });
      document.querySelector('main')!.prepend(link);
      link.click();
    }, address);
    const form = page.getByRole('main');
    const field = form.getByRole('textbox', { name: 'Текст записи' });
    const shared = `Начатое\n\n${hostile}\njavascript:pwned()`;
    await expect(field).toHaveValue(shared);
    await expect(field).toBeFocused();
    // A reload does not add it once more.
    await reloadPage(page);
    await expect(field).toHaveValue(shared);
    expect(calls).toEqual([]);
    await form.getByRole('button', { name: 'Опубликовать' }).click();
    await expect(page).toHaveURL(/\/posts\/\d+$/);
    await expect(cardOf(page, hostile)).toBeVisible();
    // The form that is done is not returned to.
    await page.goBack();
    await expect(page).toHaveURL(`${ownWall.url}/`);

    // The shortcut opens an empty form, and Back leaves it.
    await openPage(page, ownWall.url + addresses.newPost.href());
    await expect(field).toHaveValue('');
    await page.goBack();
    await expect(page).toHaveURL(`${ownWall.url}/`);

    const long = 'ж'.repeat(3 * limits.postLength);
    await openPage(page, ownWall.url + addresses.newPost.href({}, { text: long }));
    await expect(field).toHaveValue(long);
    await expect(form.getByRole('alert').first()).toContainText('Текст длиннее 500 символов');
    await expect(form.getByRole('button', { name: 'Опубликовать' })).toBeDisabled();
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

test('a quick tap on a button of a dialog counts, also where the browser takes it for a double click', async ({
  page,
  wall,
}) => {
  await openPage(page, wall.url);
  await newPostButton(page).click();
  const writing = dialog(page);
  await expect(writing).toBeVisible();
  const { x, y, width, height } = (await writing.getByRole('button', { name: 'Закрыть' }).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await expect(writing).toBeHidden();
});
