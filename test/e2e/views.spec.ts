import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { expectSameDocument, markDocument } from './support/app.ts';
import { signIn } from './support/sign-in.ts';
import { cardOf, expectScrollPosition, scrollPosition, scrollToPost, settled } from './support/feed.ts';
import { longName } from './support/populated-wall.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { chooseView, expectTexts, heading, signInReader, switcher, views } from './support/views.ts';
import { signInNewPerson } from './support/writing.ts';

test('liked posts, the latest like first, a reply with the post it answers', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const me = await signInNewPerson(page, ownWall);
  const boris = await seed.person('boris_petrov');
  const [early, late, unloved] = await seed.posts(['Ранняя', 'Поздняя', 'Чужая'].map((text) => ({ by: boris, text })));
  const [reply] = await seed.replies(unloved!, [{ by: boris, text: 'Ответ' }]);
  for (const id of [late!, reply!, early!]) await seed.like(id, me.id);

  await markDocument(page);
  await chooseView(page, 'Понравившиеся');
  await expectTexts(page, ['Ранняя', 'Ответ', 'Поздняя']);
  await expect(page).toHaveURL(`${ownWall.url}/liked`);
  await expect(cardOf(page, 'Ответ').getByRole('link', { name: 'Чужая' })).toBeVisible();
  for (const like of await page.getByRole('button', { name: 'Нравится' }).all()) {
    await expect(like).toHaveAttribute('aria-pressed', 'true');
  }
  await expectSameDocument(page);
});

test('own posts and replies, newest first, each kind in its own list', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const { id: me } = await signInNewPerson(page, ownWall);
  const boris = await seed.person('boris_petrov');
  const [his, gone] = await seed.posts(['Запись Бориса', 'Скоро удалю'].map((text) => ({ by: boris, text })));
  await seed.posts(['Первая моя', 'Вторая моя'].map((text) => ({ by: me, text })));
  await seed.replies(his!, [{ by: me, text: 'Мой ответ Борису' }]);
  await seed.replies(gone!, [{ by: me, text: 'Мой ответ в пустоту' }]);
  await seed.remove(gone!);

  await chooseView(page, 'Мои записи');
  await expectTexts(page, ['Вторая моя', 'Первая моя']);
  await chooseView(page, 'Мои ответы');
  await expectTexts(page, ['Мой ответ в пустоту', 'Мой ответ Борису']);
  await expect(cardOf(page, 'Мой ответ в пустоту')).toContainText('Запись удалена');
  await cardOf(page, 'Мой ответ Борису').getByRole('link', { name: 'Запись Бориса' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${his}`);
});

test('each list has its title and no back button, and says when it is empty', async ({ page, wall }) => {
  await signInNewPerson(page, wall);
  for (const name of views.slice(1)) {
    await chooseView(page, name);
    await expect(heading(page)).toHaveText(name);
    await expect(page).toHaveTitle(`${name} - Стена`);
    await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
    await expect(page.getByText('Возможно, записи скоро появятся')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Назад' })).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();
  }
});

test('the URL of a private list can be opened directly', async ({ page, ownWall }) => {
  const { id: me } = await signInNewPerson(page, ownWall);
  await ownWall.seed.posts([{ by: me, text: 'Моя запись' }]);
  const html = await (await page.request.get(`${ownWall.url}/own/posts`)).text();
  expect(html).not.toContain('Моя запись');
  await page.goto(`${ownWall.url}/own/posts`);
  await expectTexts(page, ['Моя запись']);
  await page.reload();
  await expectTexts(page, ['Моя запись']);
  await expect(page).toHaveTitle('Мои записи - Стена');
});

test('a loading list shows skeletons of posts', async ({ page, wall }) => {
  await signInNewPerson(page, wall);
  let respond = () => {};
  const asked = new Promise<void>((go) => (respond = go));
  await page.route('**/api/v1/posts?*', (route) => asked.then(() => route.continue()));
  await page.goto('/liked');
  await expect(page.locator('main [aria-busy=true]')).toBeVisible();
  await expect(heading(page)).toHaveText('Понравившиеся');
  respond();
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
});

for (const open of [chooseView, (page: Page) => page.goto(`${new URL(page.url()).origin}/liked`)]) {
  const how = open === chooseView ? 'chosen' : 'opened';
  test(`a list that fails when ${how} can be retried`, async ({ page, wall, pageErrors }) => {
    pageErrors.expect(/503/);
    await signInNewPerson(page, wall);
    // Not the feed, which may be loaded again at any time.
    await page.route(/\/posts\?.*filter=liked/, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
    await open(page, 'Понравившиеся');
    await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
    await expect(switcher(page)).toBeVisible();
    await page.getByRole('button', { name: 'Повторить' }).click();
    await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  });
}

test('Back restores the exact position several pages down the list', async ({ page, ownWall }) => {
  await signInReader(page, ownWall);
  await page.goto(`${ownWall.url}/liked`);
  await expect(cardOf(page, 'Запись 1').first()).toBeVisible();
  await scrollToPost(page, 45);
  await page.evaluate(() => scrollBy(0, -777));
  await settled(page);
  await markDocument(page);
  const before = await scrollPosition(page);
  expect(before).toBeGreaterThan(3_000);
  await page.evaluate(() => navigation.navigate('/settings'));
  await expect(heading(page)).toHaveText('Настройки');
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(heading(page)).toHaveText('Понравившиеся');
  await expectScrollPosition(page, before);
  await scrollToPost(page, 55);
  await expectSameDocument(page);
});

test('selecting a list reloads it', async ({ page, ownWall }) => {
  const { id: me } = await signInNewPerson(page, ownWall);
  await ownWall.seed.posts([{ by: me, text: 'Первая' }]);
  await chooseView(page, 'Мои записи');
  await expectTexts(page, ['Первая']);
  await ownWall.seed.posts([{ by: me, text: 'Вторая' }]);
  await chooseView(page, 'Мои ответы');
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  await chooseView(page, 'Мои записи');
  await expectTexts(page, ['Вторая', 'Первая']);
});

test('the longest name leaves space for the title', async ({ page, mail, ownWall }) => {
  await ownWall.seed.person(longName);
  await signIn(page, mail, ownWall.url, { name: longName, email: `${longName}@example.org` });
  await page.goto(`${ownWall.url}/liked`);
  for (const viewport of [phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    const cut = await heading(page).evaluate((title) => title.scrollWidth - title.clientWidth);
    expect(cut, `${viewport.width} px`).toBe(0);
  }
});

test('the lists are accessible, full and empty', async ({ page, ownWall }) => {
  test.setTimeout(60_000);
  await signInReader(page, ownWall);
  await page.goto(`${ownWall.url}/liked`);
  await expect(cardOf(page, 'Запись 1').first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${ownWall.url}/own/replies`);
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  await expectAccessible(page);
});
