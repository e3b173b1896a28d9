import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { dialogLeft, openPage } from './support/app.ts';
import { articles, cardOf } from './support/feed.ts';
import { boris, texts } from './support/populated-wall.ts';
import { desk, phone } from './support/screens.ts';
import { searchField } from './support/search.ts';
import { expect, test } from './support/test.ts';
import { signInNewPerson, textField } from './support/writing.ts';

const keysDialog = (page: Page) => page.getByRole('dialog', { name: 'Клавиши' });
const postAt = (page: Page, place: number) => page.locator(`article[aria-posinset="${place}"]`);

test.beforeEach(async ({ page }) => {
  await openPage(page, '/');
});

test('every focusable element shows the focus', async ({ page }) => {
  const stops = new Set<string>();
  for (let press = 0; press < 30; press += 1) {
    await page.keyboard.press('Tab');
    const { name, ring, inSight } = await page.evaluate(() => {
      const here = document.activeElement!;
      // The ring of a pill is drawn around its shape.
      const { outlineStyle, outlineWidth } =
        [getComputedStyle(here), getComputedStyle(here, '::before')].find((style) => style.outlineStyle !== 'none') ??
        getComputedStyle(here);
      const { top, bottom } = here.getBoundingClientRect();
      return {
        name: `${here.localName} ${here.getAttribute('aria-posinset') ?? here.textContent}`,
        ring: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
        inSight: bottom > 0 && top < innerHeight,
      };
    });
    stops.add(name);
    expect(ring, name).toBeGreaterThanOrEqual(2);
    expect(inSight, name).toBe(true);
  }
  expect([...stops].slice(0, 2)).toEqual(['a К содержанию', 'button Клавиши']);
  expect(stops).toContain('button Новая запись');
  expect(stops).toContain('article 1');
  expect(stops).toContain('article 2');
});

test('no bar covers the focus in a discussion', async ({ page, ownWall }) => {
  const { id: by } = await signInNewPerson(page, ownWall);
  const [root] = await ownWall.seed.posts([{ by, text: 'Вопрос' }]);
  await ownWall.seed.replies(
    root!,
    Array.from({ length: 20 }, (_, i) => ({ by, text: `Ответ ${i} `.repeat(3) })),
  );
  for (const size of [phone, desk]) {
    await page.setViewportSize(size);
    await openPage(page, `${ownWall.url}/posts/${root}`);
    await expect(articles(page).first()).toBeVisible();
    for (let press = 0; press < 100; press += 1) {
      await page.keyboard.press('Tab');
      const covered = await page.evaluate(() => {
        const here = document.activeElement!;
        const { left, right, top, bottom, width, height } = here.getBoundingClientRect();
        // A post may be higher than the window, so its own place is its upper edge.
        const x = Math.max(0, left) + Math.min(width, innerWidth) / 2;
        const at = [top + 2, bottom - 2].map((y) => document.elementFromPoint(x, y));
        const isPinned = (element: Element | null) =>
          element?.closest('header, nav, [data-foot="true"]') && !here.contains(element) && !element.contains(here);
        return right > 0 && height > 0 && at.some(isPinned) ? `${here.localName} ${here.textContent}` : null;
      });
      expect(covered, `${size.width} px`).toBeNull();
    }
  }
});

test('Page Down and Page Up move between posts, also later ones; j and k from the first visible', async ({ page }) => {
  await articles(page).first().focus();
  for (let place = 2; place <= limits.pageSize + 3; place += 1) {
    await postAt(page, place).waitFor();
    await page.keyboard.press('PageDown');
    await expect(postAt(page, place)).toBeFocused();
    await expect(postAt(page, place)).toBeInViewport();
  }
  await page.keyboard.press('PageUp');
  await expect(postAt(page, limits.pageSize + 2)).toBeFocused();

  await openPage(page, '/');
  await page.keyboard.press('j');
  await expect(postAt(page, 1)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(postAt(page, 2)).toBeFocused();
  for (const modifier of ['Shift', 'Alt']) await page.keyboard.press(`${modifier}+j`);
  await expect(postAt(page, 2)).toBeFocused();

  await page.evaluate(() =>
    scrollBy(0, document.querySelector('article[aria-posinset="5"]')!.getBoundingClientRect().y - 100),
  );
  await page.keyboard.press('j');
  await expect(postAt(page, 5)).toBeFocused();
});

test('Enter opens the focused post or link, not both, and the focus follows the page', async ({ page, wall }) => {
  await cardOf(page, texts.lines).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/posts/${wall.ids.lines}`);
  await expect(page.getByRole('main')).toBeFocused();
  await page.goBack();
  await expect(cardOf(page, texts.lines)).toBeFocused();
  await expect(page.getByRole('main', { name: 'Стена', exact: true })).toBeVisible();

  await cardOf(page, texts.discussed).getByRole('link', { name: boris, exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/users/${boris}`);
  await page.goBack();
  await expect(page).toHaveURL(`${wall.url}/`);

  await cardOf(page, texts.discussed).locator('time[title]').click();
  await expect(page.getByRole('main', { name: `${boris}: ${texts.discussed} - Стена` })).toBeFocused();
});

test('keys that need an account ask to sign in, and Enter opens no post on a button', async ({ page, wall }) => {
  const asked = async () => {
    await expect(page.getByRole('dialog', { name: 'Войти' })).toBeVisible();
    await page.waitForFunction(() => history.state?.dialog === true);
    await page.keyboard.press('Escape');
    // The app learns of the end of a dialog a moment after it has gone.
    await dialogLeft(page);
  };
  await cardOf(page, texts.discussed).getByRole('button', { name: 'Нравится' }).focus();
  for (const key of ['Space', 'Enter']) {
    await page.keyboard.press(key);
    await asked();
  }
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageUp');
  for (const key of ['r', 'l', 'n']) {
    await page.keyboard.press(key);
    await asked();
    await expect(postAt(page, 1)).toBeFocused();
  }
  await expect(page).toHaveURL(`${wall.url}/`);
});

test('shortcuts use the position of the key, regardless of the layout', async ({ page }) => {
  const russian = await page.context().newCDPSession(page);
  const press = (code: string, key: string, how = {}) =>
    russian.send('Input.dispatchKeyEvent', { type: 'keyDown', code, key, ...how });
  await press('KeyJ', 'о');
  await expect(postAt(page, 1)).toBeFocused();
  await press('KeyN', 'т', { autoRepeat: true });
  await press('KeyJ', 'о', { autoRepeat: true });
  await expect(postAt(page, 2)).toBeFocused();
  await press('Digit7', '?');
  await expect(keysDialog(page)).toBeVisible();
  await press('Slash', ',', { modifiers: 8 });
  await expect(keysDialog(page)).toBeHidden();
  await dialogLeft(page);
  // In the Russian layout the key types a full stop.
  await press('Slash', '.');
  await expect(searchField(page)).toBeFocused();
  await expect(searchField(page)).toHaveValue('');
});

test('keys like, reply and write; in a text field they are letters', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person(boris);
  const [post] = await ownWall.seed.posts([{ by, text: 'Запись' }]);
  await signInNewPerson(page, ownWall);
  const like = page.getByRole('button', { name: 'Нравится' });
  await page.keyboard.press('j');
  await page.keyboard.press('l');
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('status').filter({ hasText: 'Нравится' })).toHaveCount(1);

  await page.keyboard.press('r');
  await expect(page.getByRole('dialog', { name: 'Ответ' })).toBeVisible();
  await expect(textField(page)).toBeFocused();
  await page.keyboard.type('jlrn?');
  await expect(textField(page)).toHaveValue('jlrn?');
  await page.keyboard.press('Escape');
  await expect(page.locator('textarea')).toHaveCount(0);
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'Новая запись' })).toBeVisible();
  await expect(textField(page)).toHaveValue('');

  await openPage(page, `${ownWall.url}/posts/${post}`);
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('l');
  await expect(like).toHaveAttribute('aria-pressed', 'false');
});

test('the list of shortcuts opens, and shortcuts can be turned off', async ({ page }) => {
  await page.keyboard.press('j');
  await page.keyboard.press('?');
  const keys = 'J О, K Л, ⇧ J О, ⇧ K Л, F А, L Д, R К, N Т, U Г, Z Я, /, ?'.split(', ');
  await expect(keysDialog(page).getByRole('term')).toHaveText(keys);
  await page.keyboard.press('j');
  await page.keyboard.press('Escape');
  await expect(keysDialog(page)).toBeHidden();
  await expect(postAt(page, 1)).toBeFocused();

  const listed = page.getByRole('button', { name: 'Клавиши' });
  await listed.press('Enter');
  await keysDialog(page).getByRole('checkbox', { name: 'Клавиши включены' }).uncheck();
  await page.keyboard.press('Escape');
  for (const key of ['?', 'n', 'j']) await page.keyboard.press(key);
  await expect(listed).toBeFocused();
  await expect(page.getByRole('dialog')).toBeHidden();

  await listed.press('Enter');
  await keysDialog(page).getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await expect(postAt(page, 1)).toBeFocused();
});

test('the skip link leads to the content and stays on the page', async ({ page, wall }) => {
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'К содержанию' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${wall.url}/#main`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByRole('link', { name: 'О стене' })).toBeFocused();
});
