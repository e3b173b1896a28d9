import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import { holdBack } from './support/code-files.ts';
import { cardOf } from './support/feed.ts';
import { boris, texts } from './support/populated-wall.ts';
import { profileLink } from './support/sign-in.ts';
import { expect, nightly, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { choice, choose, signInNewPerson, menuButton, toast, callsOf } from './support/writing.ts';

test.describe('a visitor', () => {
  test.beforeEach(async ({ page }) => {
    await openPage(page, '/');
  });

  test('a second click, a click outside, Tab and Escape close the menu', async ({ page, wall }) => {
    const menu = page.getByRole('menu');
    for (const close of [
      () => menuButton(page, texts.lines).click(),
      () => page.mouse.click(10, 10),
      () => page.keyboard.press('Tab'),
      () => page.keyboard.press('Escape'),
    ]) {
      await menuButton(page, texts.lines).click();
      await expect(menu).toBeVisible();
      await expect(menuButton(page, texts.lines)).toHaveAttribute('popovertarget');
      await close();
      await expect(menu).toBeHidden();
      await expect(menuButton(page, texts.lines)).not.toHaveAttribute('popovertarget');
    }
    await expect(menuButton(page, texts.lines)).toBeFocused();
    await expect(page).toHaveURL(`${wall.url}/`);
  });

  test('arrow keys, Home and End move in the menu', async ({ page }) => {
    await menuButton(page, texts.lines).focus();
    await page.keyboard.press('Enter');
    const items = page.getByRole('menuitem');
    await expect(items).toHaveCount(7);
    await expect(items.first()).toBeFocused();
    for (const [key, place] of [
      ['ArrowDown', 1],
      ['End', 6],
      ['ArrowDown', 0],
      ['ArrowUp', 6],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key);
      await expect(items.nth(place)).toBeFocused();
    }
  });

  test('opens next to its button, and copies the link in any browser', async ({ page, context, wall }) => {
    for (const text of [texts.discussed, texts.full]) {
      await cardOf(page, text).first().scrollIntoViewIfNeeded();
      await menuButton(page, text).click();
      await expect(page.getByRole('menu')).toBeVisible();
      const distances = async () => {
        const button = (await menuButton(page, text).boundingBox())!;
        const menu = (await page.getByRole('menu').boundingBox())!;
        const [below, above] = [menu.y - button.y - button.height, button.y - menu.y - menu.height];
        const right = menu.x + menu.width - button.x - button.width;
        return Math.max(Math.min(Math.abs(below), Math.abs(above)), Math.abs(right));
      };
      await expect.poll(distances).toBeLessThanOrEqual(1);
      await page.keyboard.press('Escape');
    }

    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose(page, texts.lines, 'Скопировать ссылку');
    await expect(toast(page, 'Ссылка скопирована')).toBeVisible();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toBe(`${wall.url}/posts/${wall.ids.lines}`);
    await expect(menuButton(page, texts.lines)).toBeFocused();

    await openPage(page, '/');
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('plain http'));
    });
    await choose(page, texts.links, 'Скопировать ссылку');
    await expect(toast(page, 'Ссылка скопирована')).toBeVisible();
    expect(await copied()).toBe(`${wall.url}/posts/${wall.ids.links}`);

    // «Поделиться» opens the share sheet of a phone, and copies in a browser that has none.
    for (const sheet of ['share', undefined]) {
      await page.evaluate((name) => {
        const share = name && (({ url }: ShareData) => Promise.resolve(void (document.title = url!)));
        Object.defineProperty(navigator, 'share', { value: share, configurable: true });
      }, sheet);
      await choose(page, texts.lines, 'Поделиться');
      if (sheet) await expect(page).toHaveTitle(`${wall.url}/posts/${wall.ids.lines}`);
      else await expect.poll(copied).toBe(`${wall.url}/posts/${wall.ids.lines}`);
    }
  });
});

test('where popovers have no anchors the menu is in sight', nightly, async ({ page }) => {
  await page.route('**/*.css', async (route) => {
    const styles = await (await route.fetch()).text();
    await route.fulfill({ contentType: 'text/css', body: styles.replaceAll('position-area', 'no-such-property') });
  });
  await openPage(page, '/');
  await menuButton(page, texts.lines).click();
  await expect(page.getByRole('menuitem').last()).toBeInViewport({ ratio: 1 });
});

const text = 'Сегодня первый снег';
const heart = (page: Page) => cardOf(page, text).first().getByRole('button', { name: 'Нравится' });

test('a like and its removal appear in the other tabs', async ({ page, context, ownWall }) => {
  const id = await snow(ownWall);
  await signInNewPerson(page, ownWall);
  const other = await context.newPage();
  await openPage(other, `${ownWall.url}/posts/${id}`);
  await expect(profileLink(other)).toBeVisible();
  await heart(page).click();
  await expect(heart(other)).toHaveAttribute('aria-pressed', 'true');
  await expect(heart(other)).toContainText('5');
  await heart(other).click();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(heart(page)).toContainText('4');
});

test('two taps before it is known who is signed in are one like', async ({ page, ownWall }) => {
  await snow(ownWall);
  await signInNewPerson(page, ownWall);
  const known = await holdBack(page, '**/sessions/current');
  const likes = ['POST', 'DELETE'].map((method) => callsOf(page, method, /likes$/));
  await openPage(page, ownWall.url);
  await heart(page).click();
  await heart(page).click();
  known.resolve();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(heart(page)).toContainText('5');
  await expect.poll(() => likes.map(({ length }) => length)).toEqual([1, 0]);
});

/** A post that four people like. */
async function snow({ seed }: Wall): Promise<number> {
  const by = await seed.person('galina_m');
  const [id] = await seed.posts([{ by, text }]);
  for (let number = 1; number <= 4; number += 1) await seed.like(id!, await seed.person(`liker_${number}`));
  return id!;
}

test('until it is known whether one follows, the item does nothing', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/503/);
  const text = 'Кто идёт на каток?';
  const by = await ownWall.seed.person('boris_petrov');
  const [post] = await ownWall.seed.posts([{ by, text }]);
  const { id } = await signInNewPerson(page, ownWall);
  await ownWall.seed.follow(post!, id);
  const response = await holdBack(page, '**/api/v1/posts/*/follow');
  const calls = ['PUT', 'DELETE'].map((method) => callsOf(page, method, /follow$/));
  await menuButton(page, text).click();
  const item = page.getByRole('menuitem', { name: /^Следить за обсуждением$/ });
  await expect(item).toHaveAttribute('aria-disabled', 'true');
  const before = await boxes(page);
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowDown');
  await expect(item).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  response.resolve();
  const back = page.getByRole('menuitem', { name: /^Не следить$/ });
  await expect(back).toBeEnabled();
  await expect(back).toBeFocused();
  expect(await boxes(page)).toEqual(before);
  await expectAccessible(page);
  expect(calls).toEqual([[], []]);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Вы больше не следите за обсуждением')).toBeVisible();

  await page.unrouteAll();
  await page.route('**/follow', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503, json: {} }) : undefined,
  );
  await choose(page, text, /^Следить за обсуждением$/);
  await expect(toast(page, 'Попробуйте')).toBeVisible();
  // The page remembers from before whether one follows, because now the server does not respond.
  await menuButton(page, text).click();
  await expect(item).toBeEnabled();
});

const boxes = (page: Page) =>
  page
    .locator('[role=menu], [role=menuitem]')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));

test('a report needs a reason, is sent once and keeps its words', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_FAILED/, /404/);
  const by = await ownWall.seed.person('galina_m');
  const texts = ['Купите у меня гараж', 'Продам гараж', 'Отдам гараж'] as const;
  await ownWall.seed.posts(texts.map((text) => ({ by, text })));
  await signInNewPerson(page, ownWall);
  const dialog = page.getByRole('dialog', { name: 'Пожаловаться' });
  const sent = callsOf(page, 'POST', /\/reports$/);
  await page.route('**/reports/reasons', (route) => route.abort());
  await choose(page, texts[0], 'Пожаловаться');
  await expect(dialog).toContainText('Сервер не отвечает');
  await page.unroute('**/reports/reasons');
  await choice(page, 'Повторить').click();
  await expect(dialog.getByRole('radio')).toHaveCount(7);
  await expect(choice(page, 'Отправить')).toBeDisabled();
  await dialog.getByLabel('Спам').check();
  await choice(page, 'Отправить').dblclick();
  await expect(toast(page, 'Жалоба отправлена')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(menuButton(page, texts[0])).toBeFocused();
  expect(sent).toHaveLength(1);

  await choose(page, texts[1], 'Пожаловаться');
  await dialog.getByLabel('Спам').check();
  await dialog.getByLabel('Другое').check();
  await dialog.getByLabel(/^Что не так, /).fill('Это мой гараж');
  // The comment survives another reason and back.
  await dialog.getByLabel('Мошенничество').check();
  await dialog.getByLabel('Другое').check();
  await page.route('**/reports?*', (route) => route.abort(), { times: 1 });
  await choice(page, 'Отправить').click();
  await expect(dialog).toContainText('Сервер не отвечает');
  const body = page.waitForRequest((request) => request.method() === 'POST');
  await dialog.getByLabel('Другое').press('Enter');
  expect((await body).postDataJSON()).toMatchObject({ comment: 'Это мой гараж' });
  await expect(dialog).toHaveCount(0);

  await choose(page, texts[2], 'Пожаловаться');
  await dialog.getByLabel('Спам').check();
  // The post is not really deleted, because the event about a deletion would remove the card, too.
  const json = { code: 'NOT_FOUND', message: '' };
  await page.route('**/reports?*', (route) => route.fulfill({ status: 404, json }), { times: 1 });
  await choice(page, 'Отправить').click();
  await expect(toast(page, 'Сообщение не найдено')).toBeVisible();
  await expect(cardOf(page, texts[2])).toHaveCount(0);
});

test('clicks with Ctrl and the middle button open one new tab each', nightly, async ({ page, context, wall }) => {
  await openPage(page, '/');
  await markDocument(page);
  const text = page.getByRole('feed').getByText(texts.discussed);
  const time = cardOf(page, texts.discussed).locator('time[title]');
  const withCtrl = { modifiers: ['ControlOrMeta' as const] };
  for (const click of [
    () => text.click(withCtrl),
    () => text.click({ button: 'middle' }),
    () => time.click(withCtrl),
  ]) {
    const [tab] = await Promise.all([context.waitForEvent('page'), click()]);
    await expect(tab).toHaveURL(`${wall.url}/posts/${wall.ids.discussed}`);
    await expect(page).toHaveURL(`${wall.url}/`);
    await tab.close();
  }
  await expectSameDocument(page);

  await cardOf(page, texts.discussed).getByRole('button', { name: 'Ответить' }).click({ button: 'middle' });
  await cardOf(page, texts.discussed).getByRole('link', { name: boris, exact: true }).click({ button: 'middle' });
  await expect.poll(() => context.pages().length).toBe(2);
  expect(context.pages(), 'the button opens nothing, the link one tab').toHaveLength(2);
});

test('a text can be selected, and its link opens a new tab', nightly, async ({ page, context, wall, pageErrors }) => {
  await openPage(page, '/');
  const text = page.getByRole('feed').getByText('Список на выходные');
  expect(await text.innerText()).toBe(texts.lines);
  const box = (await text.boundingBox())!;
  await page.mouse.move(box.x + 2, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 10, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('');
  await expect(page).toHaveURL(`${wall.url}/`);

  pageErrors.expect(/third party: https:\/\/example\.org\/map/);
  await context.route('https://example.org/**', (route) => route.fulfill({ body: '' }));
  const link = page.getByRole('link', { name: 'https://example.org/map' });
  const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
  await expect(tab).toHaveURL('https://example.org/map?x=1&y=2');
  await expect(page).toHaveURL(`${wall.url}/`);
  await tab.close();
});

test('a copied text has whole addresses', nightly, async ({ page, ownWall, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const address = 'https://example.org/articles/2026/11/first-snow?from=wall';
  const by = await ownWall.seed.person('boris_petrov');
  await ownWall.seed.posts([{ by, text: `Был в лесу: ${address} и рядом` }]);
  await openPage(page, ownWall.url);
  const link = page.getByRole('article').getByRole('link', { name: 'example.org' });
  await expect(link).toHaveAttribute('title', address);
  await expect(link).toHaveAttribute('href', address);
  expect(await widthOf(page, 'https://')).toBe(0);
  expect(await widthOf(page, '1/first-snow?from=wall')).toBe(0);
  expect(await widthOf(page, 'example.org/articles/2026/1')).toBeGreaterThan(100);

  await page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('article > div > [dir=auto]')!));
  await page.keyboard.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`Был в лесу: ${address} и рядом`);
});

const widthOf = (page: Page, part: string): Promise<number> =>
  page
    .getByRole('article')
    .getByText(part, { exact: true })
    .evaluate((span) => span.getBoundingClientRect().width);
