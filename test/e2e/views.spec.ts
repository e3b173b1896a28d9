import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import { cardOf, scrollToPost } from './support/feed.ts';
import { texts } from './support/populated-wall.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { profileLink, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { chooseView, expectTexts, option, optionsOf, switcher } from './support/views.ts';
import { signInNewPerson } from './support/writing.ts';

const expectClosed = (page: Page): Promise<void> => expect(optionsOf(page)).toHaveCount(0);

async function expectActive(page: Page, name: string): Promise<void> {
  const active = page.getByRole('option', { selected: true });
  await expect(active).toHaveText(name);
  await expect(switcher(page)).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id'))!);
}

test('the markup of menus is valid HTML, and the mouse highlights an option and leaves the focus', async ({ page }) => {
  const faults = page.locator('span div, p div, button div, [popovertarget][aria-expanded]');
  await openPage(page, '/');
  await expect(faults).toHaveCount(0);
  await cardOf(page, texts.discussed).getByRole('button', { name: 'Действия с записью' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(faults).toHaveCount(0);
  await page.keyboard.press('Escape');

  await switcher(page).click();
  await expect(page.getByRole('option', { selected: true })).toHaveCount(0);
  await option(page, 'Мои записи').hover();
  await expectActive(page, 'Мои записи');
  await expect(switcher(page)).toBeFocused();
});

test('keys open, move and close, and leave the shortcuts of the browser alone', async ({ page, wall }) => {
  await openPage(page, '/');
  await switcher(page).focus();
  for (const key of ['Alt+x', 'Control+ArrowDown']) await page.keyboard.press(key);
  await expectClosed(page);
  for (const [key, name] of [
    ['ArrowDown', 'Понравившиеся'],
    ['ArrowUp', 'Понравившиеся'],
    ['Enter', 'Понравившиеся'],
    ['Space', 'Понравившиеся'],
    ['Home', 'Понравившиеся'],
    ['End', 'Мои ответы'],
  ] as const) {
    await page.keyboard.press(key);
    await expectActive(page, name);
    await expect(switcher(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expectClosed(page);
  }
  for (const [key, name] of [
    ['ArrowDown', 'Понравившиеся'],
    ['ArrowDown', 'Мои записи'],
    ['End', 'Мои ответы'],
    ['ArrowDown', 'Мои ответы'],
    ['ArrowUp', 'Мои записи'],
    ['Home', 'Понравившиеся'],
    ['ArrowUp', 'Понравившиеся'],
  ] as const) {
    await page.keyboard.press(key);
    await expectActive(page, name);
  }
  await page.keyboard.press('Tab');
  await expectClosed(page);
  await expect(page.getByRole('banner').getByRole('button', { name: 'Войти' })).toBeFocused();
  await expect(page).toHaveURL(`${wall.url}/`);
});

test('clicks on it and beside it close it, and Enter and Space choose a view', async ({ page, wall }) => {
  await signInNewPerson(page, wall);
  await markDocument(page);
  const expanded = (open: boolean) => expect(switcher(page)).toHaveAttribute('aria-expanded', `${open}`);
  for (const close of [() => switcher(page).click(), () => page.mouse.click(20, 600)]) {
    await switcher(page).click();
    await expanded(true);
    await close();
    await expanded(false);
    await expectClosed(page);
  }
  const inBars = page.locator('nav').getByRole('link', { name: 'Лента', includeHidden: true });
  const isCurrent = () => inBars.evaluateAll((links) => links.map((link) => link.ariaCurrent));
  expect(await isCurrent()).toEqual(['page', 'page']);
  for (const [key, name] of [
    ['Enter', 'Мои записи'],
    ['Space', 'Понравившиеся'],
  ] as const) {
    await switcher(page).focus();
    for (const each of ['ArrowDown', 'ArrowDown', key]) await page.keyboard.press(each);
    await expect(page.getByRole('main', { name: `${name} - Стена` })).toBeFocused();
    await expectClosed(page);
    await expect.poll(isCurrent).toEqual([null, null]);
  }
  await expectSameDocument(page);
  await openPage(page, `/posts/${wall.ids.discussed}`);
  await expect(switcher(page)).toHaveCount(0);
});

test('it fits every window, far down too, is large enough for touch and accessible', async ({ page }) => {
  await openPage(page, '/');
  await switcher(page).click();
  for (const viewport of [{ width: 320, height: 568 }, phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    const below = (await switcher(page).boundingBox())!;
    for (const part of [switcher(page), ...(await optionsOf(page).all())]) {
      await expect(part).toBeInViewport({ ratio: 1 });
      const { width, height } = (await part.boundingBox())!;
      expect(Math.round(Math.min(width, height))).toBeGreaterThanOrEqual(44);
    }
    const list = (await page.getByRole('listbox').boundingBox())!;
    expect(list.y).toBeGreaterThanOrEqual(below.y + below.height - 1);
    expect(list.y - below.y - below.height).toBeLessThan(16);
  }
  await page.keyboard.press('ArrowDown');
  await expectActive(page, 'Понравившиеся');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await scrollToPost(page, 20);
  await switcher(page).click();
  await expect(option(page, 'Мои ответы')).toBeInViewport({ ratio: 1 });
});

test('a like that was taken back leaves the list when it is opened again', async ({ page, ownWall }) => {
  const me = await signInNewPerson(page, ownWall);
  const by = await ownWall.seed.person('boris_petrov');
  const [first, second] = await ownWall.seed.posts(['Первая', 'Вторая'].map((text) => ({ by, text })));
  for (const id of [first!, second!]) await ownWall.seed.like(id, me.id);
  await chooseView(page, 'Понравившиеся');
  const like = cardOf(page, 'Первая').getByRole('button', { name: /^Нравится/ });
  for (const pressed of [false, true, false]) {
    await like.click();
    await expect(like).toHaveAttribute('aria-pressed', `${pressed}`);
  }
  const stored = async () => (await page.request.get(`${ownWall.url}/api/v1/posts/${first}`)).json();
  await expect.poll(async () => (await stored()).actions.likes_count).toBe(0);
  await expectTexts(page, ['Вторая', 'Первая']);
  await chooseView(page, 'Новые');
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await chooseView(page, 'Понравившиеся');
  await expectTexts(page, ['Вторая']);
});

test('after signing out, Back does not show private lists', async ({ page, ownWall }) => {
  const { id: by } = await signInNewPerson(page, ownWall);
  await ownWall.seed.posts([{ by, text: 'Моя запись' }]);
  await chooseView(page, 'Мои записи');
  await expectTexts(page, ['Моя запись']);
  await markDocument(page);
  await signOut(page);
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
  await expectSameDocument(page);
});

test('the next person to sign in does not see the list of the previous one', async ({ page, context, wall }) => {
  await signInNewPerson(page, wall);
  await chooseView(page, 'Понравившиеся');
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  // Simulates what happens in Chromium at times: a script still reads the old cookie for a moment after the message has arrived.
  await page.evaluate(() => {
    const before = document.cookie;
    Object.defineProperty(document, 'cookie', { configurable: true, get: () => before });
    const told = () => Reflect.deleteProperty(document, 'cookie');
    new BroadcastChannel('session').addEventListener('message', told, { once: true });
  });
  const other = await context.newPage();
  // A picture: on a page of the wall the app would respond to the message itself.
  await other.goto(`${wall.url}/favicon.svg`);
  await other.evaluate(() => {
    document.cookie = 'signed-in=by-another-person; Path=/';
    new BroadcastChannel('session').postMessage({ flag: 'by-another-person' });
  });
  await expect(page).toHaveURL('/');
  await expect(profileLink(page)).toBeVisible();
});
