import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible, expectLayoutAccessible } from './support/accessible.ts';
import { dialogLeft, openPage, quiet, reloadPage } from './support/app.ts';
import { articles } from './support/feed.ts';
import { column, followWithNews, seedTalks } from './support/right-column.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { newPerson, profileLink, restoreSession, signOut } from './support/sign-in.ts';
import { holdBack } from './support/code-files.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { callsOf, choose } from './support/writing.ts';

const sign = (page: Page) => page.getByRole('region', { name: 'Чья это стена' });
const pinned = (page: Page) => page.getByRole('region', { name: 'Объявление' });
const closeButton = (page: Page) => pinned(page).getByRole('button', { name: 'Закрыть объявление' });

test('the feed of a visitor begins with the sign of the wall and those who write', async ({ page, wall }) => {
  await watchShift(page);
  await page.setViewportSize(phone);
  await openPage(page, '/');
  await expect(sign(page)).toContainText('Лента коротких записей. Читать может каждый.');
  await expect(sign(page)).toContainText(/Пиш[ую]т /);
  expect((await sign(page).boundingBox())!.height).toBeLessThanOrEqual(132);
  await expectNoShift(page);
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await page.getByRole('navigation', { name: 'Порядок ленты' }).getByRole('link', { name: 'Обсуждаемые' }).click();
  await expect(page).toHaveTitle(/Обсуждаемые/);
  await expect(sign(page)).toBeVisible();
  await expect(page.getByText('Что у вас?')).toBeHidden();
  expect(await (await page.request.get(wall.url)).text()).toContain('Лента коротких записей');
});

test('members have the header in its place, before the first paint too', async ({ page, ownWall }) => {
  await ownWall.seed.posts([{ by: await ownWall.seed.person('galina_m'), text: 'Запись' }]);
  await page.setViewportSize(phone);
  await restoreSession(page, ownWall, await newPerson(ownWall));
  await page.route(/\/assets\//, () => {});
  await page.goto(ownWall.url, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  await expect(page.getByText('Что у вас?')).toBeVisible();
  await expect(sign(page)).toBeHidden();
  await page.unroute(/\/assets\//);
  await watchShift(page);
  await reloadPage(page);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Уведомления' })).toBeVisible();
  await expectNoShift(page);
  await signOut(page);
  await expect(sign(page)).toBeVisible();
  await expect(page.getByText('Что у вас?')).toBeHidden();
});

const pin = (wall: Wall, id: number): Promise<void> => wall.seed.act('pin', id, 'важно');

/** Twelve posts, of which one is the pinned post, the oldest unless another is named. */
async function seedPinned(wall: Wall, which = 0): Promise<number[]> {
  const by = await wall.seed.person('andrey_smirnov');
  await wall.seed.name(by, 'Андрей');
  const ids = await wall.seed.posts(Array.from({ length: 12 }, (_, index) => ({ by, text: `Запись ${index}` })));
  await pin(wall, ids[which]!);
  return ids;
}

test('the pinned post is first in the feed, and the numbers stay', async ({ page, ownWall }) => {
  const ids = await seedPinned(ownWall);
  await page.setViewportSize(phone);
  await openPage(page, ownWall.url);
  await expect(pinned(page)).toContainText('Запись 0');
  await expect(articles(page).first()).toHaveAttribute('aria-setsize', '12');
  const above = await pinned(page).evaluate(
    (card) => card.getBoundingClientRect().bottom - document.querySelector('article')!.getBoundingClientRect().top,
  );
  expect(above).toBeLessThanOrEqual(0);
  const name = pinned(page).getByRole('link').first();
  await expect(name).toHaveText('Андрей');
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expectAccessible(page);
  await pinned(page).getByRole('link', { name: 'Открыть запись' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${ids[0]}`);
  await expect(pinned(page)).toHaveCount(0);
});

test('nothing of the pinned post moves, nor is painted when closed', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_BLOCKED_BY_CLIENT/);
  await seedPinned(ownWall, 10);
  await watchShift(page);
  for (const viewport of [phone, desk]) {
    await page.setViewportSize(viewport);
    await openPage(page, ownWall.url);
    await expect(page.locator('article[data-pinned]')).toHaveCount(0);
    await expectNoShift(page);
    await closeButton(page).click();
    await openPage(page, ownWall.url);
    await expectNoShift(page);
    await expect(pinned(page)).toHaveCount(0);
    await page.route(/\/assets\/.*\.js/, (route) => route.abort('blockedbyclient'));
    await page.goto(ownWall.url);
    await expect(articles(page).first()).toBeVisible();
    // The pinned post is in the document twice: above the feed and in the right column.
    await expect(page.locator('[data-pin]')).toHaveCount(2);
    await expect(page.locator('[data-pin]').filter({ visible: true })).toHaveCount(0);
    await expect(page.locator('article[data-pinned]')).toBeVisible();
    await page.unrouteAll();
    await page.evaluate(() => localStorage.clear());
  }
});

test('a closed pinned post stays closed until there is another one', async ({ page, ownWall }) => {
  const ids = await seedPinned(ownWall, 10);
  await openPage(page, ownWall.url);
  await expect(pinned(page)).toContainText('Запись 10');
  await expect(articles(page).first()).toContainText('Запись 11');
  await closeButton(page).click();
  await expect(articles(page).first()).toBeFocused();
  await openPage(page, ownWall.url);
  await expect(articles(page).nth(1)).toContainText('Запись 10');
  await expect(pinned(page)).toHaveCount(0);
  await pin(ownWall, ids[9]!);
  await openPage(page, ownWall.url);
  await expect(pinned(page)).toContainText('Запись 9');
  await ownWall.seed.remove(ids[9]!);
  await expect(pinned(page)).toHaveCount(0);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the pinned post can be read, and has no button that would do nothing', async ({ page, ownWall }) => {
    await seedPinned(ownWall, 10);
    await page.goto(ownWall.url);
    await expect(pinned(page)).toContainText('Запись 10');
    await expect(page.locator('article[data-pinned]')).toBeHidden();
    await expect(closeButton(page)).toHaveCount(0);
  });
});

const filling = async ({ seed }: Wall) => {
  const by = await seed.person('filler');
  await seed.posts(Array.from({ length: 30 }, (_, index) => ({ by, text: `Запись ${index}`, age: 86_400 })));
};

test('a window shows each part once, and both places close the announcement', async ({ page, ownWall }) => {
  await seedTalks(ownWall);
  await watchShift(page);
  for (const [width, isShown] of [
    [1_059, false],
    [1_060, true],
    [1_440, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await openPage(page, ownWall.url);
    await expect(column(page)).toBeVisible({ visible: isShown });
    await expect(pinned(page)).toHaveCount(1);
    await expect(page.getByRole('main').locator('[data-pin]')).toBeVisible({ visible: !isShown });
    await expect(page.getByText(/Стена/).filter({ visible: true })).toHaveCount(1);
    const rail = page.getByRole('navigation', { name: 'Разделы' });
    await expect(rail.getByRole('link', { name: 'Стена' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (isShown) {
      const [main, aside] = [(await page.getByRole('main').boundingBox())!, (await column(page).boundingBox())!];
      expect(aside.width).toBe(300);
      expect(aside.x).toBeGreaterThanOrEqual(main.x + main.width);
    }
    await quiet(page);
    await expectNoShift(page);
  }
  await closeButton(page).click();
  await expect(page.locator('[data-pin]')).toHaveCount(0);
  await page.setViewportSize(phone);
  await expect(pinned(page)).toHaveCount(0);
});

test('the right column costs no request of its own, and scrolls with the page', async ({ page, ownWall }) => {
  const [root] = await seedTalks(ownWall);
  await filling(ownWall);
  const me = await newPerson(ownWall);
  await followWithNews(ownWall, root!, me);
  // Records the requests for first pages of lists. The list of newcomers is an extra request of signed-in people (docs/decisions/0093).
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const isList = /^\/api\/v1\/(posts(?!\/waiting)|users\/current\/following)/.test(pathname);
    if (isList && !search.includes('cursor=')) calls.push(pathname + search);
  });
  await openPage(page, ownWall.url);
  await expect(column(page).getByRole('listitem')).toHaveCount(4);
  await quiet(page);
  expect(calls).toEqual([]);
  await page.evaluate(() => scrollTo(0, 600));
  await expect(column(page).getByRole('heading', { name: 'Сейчас обсуждают' })).not.toBeInViewport();

  await restoreSession(page, ownWall, me);
  await expect(column(page).getByText('+2')).toBeVisible();
  await quiet(page);
  expect(calls).toEqual([expect.stringContaining('aside=true')]);
  for (const [count, tab, path] of [
    [2, 'Слежу', '/following'],
    [3, 'Обсуждаемые', '/discussed'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Порядок ленты' }).getByRole('link', { name: tab }).click();
    await expect(page).toHaveURL(ownWall.url + path);
    await quiet(page);
    expect(calls).toHaveLength(count);
    await expect(column(page).getByText('+2')).toBeVisible();
  }
  await column(page)
    .getByRole('link', { name: /пекарню/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/posts/${root}`));
  await expect(column(page).getByText('+2')).toBeVisible();
  await expect(pinned(page)).toHaveCount(0);
  expect(calls.slice(3)).toEqual([expect.stringContaining('/thread')]);

  await page.setViewportSize({ width: 1_059, height: 800 });
  await openPage(page, ownWall.url);
  await quiet(page);
  expect(calls.at(-1)).toMatch(/^\/api\/v1\/posts\?(?!.*aside)/);
});

test('a discussion opened first asks for the column once, and ends with the field for a reply and the next one', async ({
  page,
  ownWall,
}) => {
  const [bakery, cleaning] = await seedTalks(ownWall);
  await ownWall.seed.replies(
    bakery!,
    Array.from({ length: 12 }, (_, index) => ({ by: 1, text: `Ответ ${index}` })),
  );
  const asked = callsOf(page, 'GET', /posts\/discussed$/);
  await page.setViewportSize(desk);
  await watchShift(page);
  await openPage(page, `${ownWall.url}/posts/${bakery}`);
  await expect(column(page).getByRole('listitem')).toHaveCount(4);
  const field = page.getByRole('link', { name: 'Ответить…' });
  await expect(field).toBeInViewport({ ratio: 1 });
  await expectNoShift(page);
  await page.setViewportSize(phone);
  await expect(field).toBeInViewport({ ratio: 1 });
  await field.click();
  const entrance = page.getByRole('dialog', { name: 'Войти' });
  await expect(entrance).toBeVisible();
  await page.keyboard.press('Escape');
  // Closing the dialog returns the page to the spot where it was opened.
  await expect(entrance).toBeHidden();
  await dialogLeft(page);
  await quiet(page);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('link', { name: 'Следующее обсуждение: Субботник' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${cleaning}`);
  expect(asked).toHaveLength(1);
});

test('the search and the best posts have the right column too', async ({ page, ownWall }) => {
  await seedTalks(ownWall);
  await page.setViewportSize(desk);
  for (const path of ['/search', '/best', '/best/month']) {
    await openPage(page, ownWall.url + path);
    await expect(column(page).getByRole('listitem')).toHaveCount(4);
  }
});

test('the field above the feed of a member opens the form of a new post', async ({ page, ownWall }) => {
  await page.setViewportSize(phone);
  await restoreSession(page, ownWall, await newPerson(ownWall));
  await page.getByRole('link', { name: 'Что у вас?' }).click();
  await expect(page.getByRole('dialog', { name: 'Новая запись' })).toBeVisible();
});

test('first steps that cannot be loaded leave no hole above the feed', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/500/);
  const owner = await newPerson(ownWall);
  await ownWall.seed.appoint(owner, 'owner');
  await ownWall.seed.posts([{ by: owner.id, text: 'Запись' }]);
  await restoreSession(page, ownWall, owner);
  const top = async () => (await articles(page).first().boundingBox())!.y;
  const steps = page.getByRole('region', { name: 'До первых людей' });
  const { height } = (await steps.boundingBox())!;
  await expect.poll(() => page.evaluate(() => Number(localStorage.getItem('above')))).toBeGreaterThanOrEqual(height);
  const below = await top();
  await page.route('**/keep/steps', (route) => route.fulfill({ status: 500 }));
  await openPage(page, ownWall.url);
  await expect.poll(top).toBeLessThanOrEqual(below - height);
  await expect(steps).toHaveCount(0);
});

test('the name of the wall stands once: in the sign, the header of a member or the wide rail', async ({
  page,
  ownWall,
}) => {
  const owner = await newPerson(ownWall);
  await ownWall.seed.appoint(owner, 'owner');
  const { token } = await ownWall.seed.session(owner.id);
  const saved = await page.request.put(`${ownWall.url}/api/v1/keep/settings`, {
    headers: { authorization: `Bearer ${token}` },
    data: {
      name: 'Дом двенадцать на улице Мира, второй и третий подъезды',
      line: 'Наш двор '.repeat(17).trim(),
      mark: '🏡',
    },
  });
  expect(saved.status()).toBe(200);
  await page.request.put(`${ownWall.url}/api/v1/keep/steps`, {
    headers: { authorization: `Bearer ${token}` },
    data: { is_hidden: true },
  });
  const name = page.getByText('Дом двенадцать').filter({ visible: true });
  await watchShift(page);
  for (const viewport of [phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    await openPage(page, ownWall.url);
    await expect(name).toHaveCount(1);
    await expect(sign(page)).toContainText('Дом двенадцать');
    await expect(page.getByRole('heading', { name: 'Стена' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expectNoShift(page);
    await expectAccessible(page);
  }
  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Войти' }).click();
  const entrance = page.getByRole('dialog', { name: 'Войти' });
  await expect(entrance).toContainText('Наш двор');
  await expectAccessible(page);

  await restoreSession(page, ownWall, owner);
  for (const viewport of [phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    await openPage(page, ownWall.url);
    await expect(name).toHaveCount(1);
    await expect(page.getByRole('heading', { name: 'Стена' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  }
  await page.setViewportSize(desk);
  const { bottom, top } = await page.getByRole('navigation', { name: 'Разделы' }).evaluate((rail) => ({
    bottom: rail.querySelector('p')!.getBoundingClientRect().bottom,
    top: rail.querySelectorAll('a')[1]!.getBoundingClientRect().top,
  }));
  expect(bottom).toBeLessThanOrEqual(top);
});

test('what is deleted, muted or of a person who has left leaves the right column', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const [bakery, , , lift] = await seedTalks(ownWall);
  const me = await newPerson(ownWall);
  await followWithNews(ownWall, lift!, me);
  const [vera, boris] = [await seed.person('vera_k'), await seed.person('boris_petrov')];
  const [bicycles] = await seed.posts([{ by: vera, text: 'Где чинят велосипеды?' }]);
  for (const by of [boris, vera]) await seed.replies(bicycles!, [{ by, text: 'Ответ' }]);
  await restoreSession(page, ownWall, me);
  await expect(column(page).getByRole('heading', { name: 'Слежу' })).toBeVisible();
  const discussed = column(page).locator('section', { hasText: 'Сейчас обсуждают' }).getByRole('listitem');
  await expect(discussed).toHaveText([/велосипеды\? 2 ответа$/, /Лифт/, /пекарню/, /Субботник/, /Вещь/]);
  await seed.remove(bakery!);
  await expect(discussed).toHaveText([/велосипеды/, /Лифт/, /Субботник/, /Вещь/]);
  await choose(page, 'Где чинят', 'Не показывать автора');
  await expect(discussed).toHaveText([/Лифт/, /Субботник/, /Вещь/]);

  await profileLink(page).click();
  const ended = await holdBack(page, '**/api/v1/posts?*');
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(discussed.last()).toContainText('Вещь');
  await expect(column(page).getByRole('heading', { name: 'Слежу' })).toHaveCount(0);
  ended.resolve();
});

test('with the operator’s own words the right column is accessible', async ({ page, ownWall }) => {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await writeFile(join(folder, 'about.md'), '# О стене\n\nСтена дома 12 по улице Мира: новости, помощь, разговоры.\n');
  await ownWall.restart({ PAGES_DIR: folder });
  const [root] = await seedTalks(ownWall);
  await filling(ownWall);
  const me = await newPerson(ownWall);
  await followWithNews(ownWall, root!, me);
  await openPage(page, ownWall.url);
  await expect(column(page).getByRole('heading', { name: 'О стене' })).toBeVisible();
  await expect(page.getByText('Стена дома 12').filter({ visible: true })).toHaveCount(1);
  await restoreSession(page, ownWall, me);
  await expect(column(page).getByRole('heading', { name: 'Слежу' })).toBeVisible();
  await expectLayoutAccessible(page);
  await rm(folder, { recursive: true });
});
