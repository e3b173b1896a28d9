import type { Locator, Page } from '@playwright/test';
import { createClient } from '#client/create-client.ts';
import type { PostPage } from '#contract/posts.ts';
import { articles, cardOf, layoutIsStable, scrollPosition, scrollToPost } from './support/feed.ts';
import { filledWall, open, pill } from './support/live.ts';
import { phone } from './support/screens.ts';
import { newPerson, restoreSession, signIn, signOut } from './support/sign-in.ts';
import { isStream } from './support/app.ts';
import { hide } from './support/reading.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';

const heart = (card: Locator): Locator => card.getByRole('button', { name: 'Нравится' });

test('a post deleted above the visible ones causes no shift', async ({ page, ownWall }) => {
  await filledWall(ownWall, 60);
  await open(page, ownWall.url);
  await scrollToPost(page, 45);
  await layoutIsStable(page);
  const middle = cardOf(page, 'Запись 42');
  const response = await page.request.get(`${ownWall.url}/api/v1/posts?limit=50`);
  const { posts }: PostPage = await response.json();
  for (const [where, place, left] of [
    ['among windowed posts', 30, '41'],
    ['on the first page', 3, '40'],
  ] as const) {
    await test.step(where, async () => {
      const before = (await middle.boundingBox())!;
      await ownWall.seed.remove(Number(posts[place - 1]!.id));
      await expect(middle).toHaveAttribute('aria-posinset', left);
      await layoutIsStable(page);
      // Windows scroll by whole pixels.
      await expect.poll(async () => Math.abs((await middle.boundingBox())!.y - before.y)).toBeLessThan(1);
    });
  }
});

test('a post that grows above the visible ones does not hide the bottom bar', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 30);
  const [id] = await ownWall.seed.posts([{ by, text: 'Верхняя' }]);
  const { token } = await ownWall.seed.session(by);
  await page.setViewportSize(phone);
  await open(page, ownWall.url);
  const bar = page.getByRole('navigation', { name: 'Нижняя панель' });
  await scrollToPost(page, 8);
  await expect(bar).not.toBeInViewport();
  await page.evaluate(() => scrollBy(0, -100));
  await expect(bar).toBeInViewport({ ratio: 1 });
  await layoutIsStable(page);
  const before = await scrollPosition(page);
  const edit = { params: { id: String(id) }, body: { text: 'Верхняя\nиз\nтрёх\nи\nболее\nстрок' } };
  await createClient({ baseUrl: ownWall.url, token })('PATCH /posts/{id}', edit);
  await expect.poll(() => scrollPosition(page)).toBeGreaterThan(before + 50);
  await layoutIsStable(page);
  await expect(bar).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => scrollBy(0, 100));
  await expect(bar).not.toBeInViewport();
});

test('the likes of a person appear in every tab with the session', async ({ page, context, mail, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const me = await newPerson(ownWall);
  const [root] = await ownWall.seed.posts([{ by, text: 'Вопрос' }]);
  const [reply] = await ownWall.seed.replies(root!, [{ by, text: 'Мысль' }]);
  for (const id of [root!, reply!]) await ownWall.seed.like(id, me.id);
  const thread = await context.newPage();
  await open(thread, `${ownWall.url}/posts/${root}`);

  await signIn(page, mail, ownWall.url, me);
  await expect(heart(cardOf(page, 'Вопрос'))).toHaveAttribute('aria-pressed', 'true');
  await expect(heart(cardOf(page, 'Запись 1'))).toHaveAttribute('aria-pressed', 'false');
  for (const text of ['Вопрос', 'Мысль']) {
    await expect(heart(cardOf(thread, text))).toHaveAttribute('aria-pressed', 'true');
  }
  await signOut(page);
  for (const text of ['Вопрос', 'Мысль']) {
    await expect(heart(cardOf(thread, text))).toHaveAttribute('aria-pressed', 'false');
  }
});

test('the first post and what others do to it appear at once to everybody', async ({ page, browser, ownWall }) => {
  const { seed } = ownWall;
  const [me, by] = [await newPerson(ownWall), await seed.person('galina_m')];
  await restoreSession(page, ownWall, me);
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await open(visitor, ownWall.url);
  const everywhere = async (check: (screen: typeof page) => Promise<void>) => {
    for (const screen of [page, visitor]) await check(screen);
  };
  const [id] = await seed.posts([{ by: me.id, text: 'Кто здесь?' }]);
  await everywhere((screen) => expectTexts(screen, ['Кто здесь?']));
  await expect(page.getByRole('button', { name: /^Показать новые/ })).toHaveCount(0);
  await seed.like(id!, by);
  await seed.replies(id!, [{ by, text: 'Я!' }]);
  const says = (screen: typeof page, name: string) => cardOf(screen, 'Кто здесь?').getByRole('button', { name });
  await everywhere(async (screen) => {
    await expect(says(screen, 'Нравится')).toHaveText('Нравится 1');
    await expect(says(screen, 'Нравится')).toHaveAttribute('aria-pressed', 'false');
    await expect(says(screen, 'Ответить')).toHaveText('Ответить 1');
  });
  await seed.unlike(id!, by);
  await everywhere((screen) => expect(says(screen, 'Нравится')).toHaveText('Нравится'));
  await seed.edit(id!, 'Есть кто?');
  await everywhere((screen) => expect(cardOf(screen, 'Есть кто?')).toContainText('изменено'));
  await seed.remove(id!);
  await everywhere((screen) => expect(articles(screen)).toHaveCount(0));
  await context.close();
});

test('the focus leaves a post that others delete; an open one says so', async ({ page, ownWall, pageErrors }) => {
  pageErrors.tolerate(/404/);
  const by = await filledWall(ownWall, 1);
  const { seed } = ownWall;
  const [root, first, second] = await seed.posts(['Вопрос', 'Первая', 'Вторая'].map((text) => ({ by, text })));
  const [reply] = await seed.replies(root!, [{ by, text: 'Ответ на него' }]);
  await open(page, ownWall.url);
  await heart(cardOf(page, 'Вторая')).focus();
  await seed.remove(second!);
  await expect(cardOf(page, 'Первая')).toBeFocused();
  await seed.remove(first!);
  await expect(cardOf(page, 'Вопрос')).toBeFocused();

  await open(page, `${ownWall.url}/posts/${root}`);
  await page.getByRole('main').getByRole('link', { name: 'galina_m' }).first().click();
  await expect(page).toHaveTitle('galina_m - Стена');
  await seed.replies(root!, [{ by, text: 'Новый ответ' }]);
  await expect(cardOf(page, 'Вопрос').getByRole('button', { name: 'Ответить' })).toHaveText('Ответить 2');
  await page.getByRole('button', { name: 'Назад' }).click();
  await page.getByRole('button', { name: 'Новые ответы: 1' }).click();
  await expect(cardOf(page, 'Новый ответ')).toBeFocused();

  await seed.act('lock', root!);
  await expect(page.getByRole('main')).toContainText('Новые ответы запрещены');
  const quoting = await page.context().newPage();
  await open(quoting, ownWall.url);
  await seed.act('pin', root!);
  await expect(quoting.locator('[data-pin]:visible')).toContainText('Вопрос');
  await open(quoting, `${ownWall.url}/posts/${reply}`);
  await seed.remove(root!);
  await expect(page.getByRole('heading', { name: 'Запись не найдена' })).toBeVisible();
  await expect(quoting.getByRole('main')).toContainText('Запись удалена');
});

test('a hidden tab and a browser offline have no stream and catch up', async ({ page, context, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const streams = openStreams(page);
  await open(page, ownWall.url);
  await expect.poll(streams).toBe(1);
  await hide(page, true);
  await expect.poll(streams).toBe(0);
  await ownWall.seed.posts([{ by, text: 'Новая' }]);
  await expect(pill(page)).toHaveCount(0);
  await hide(page, false);
  await expect(pill(page)).toHaveText('Показать новые: 1');
  await expect.poll(streams).toBe(1);

  await context.setOffline(true);
  await expect.poll(streams).toBe(0);
  await ownWall.seed.posts([{ by, text: 'Ещё новая' }]);
  await context.setOffline(false);
  await expect(pill(page)).toHaveText('Показать новые: 2');
});

test('a line says that the server is silent; changes appear afterwards', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING/);
  const by = await filledWall(ownWall, 3);
  const streams = openStreams(page);
  await open(page, ownWall.url);
  await expect.poll(streams).toBe(1);
  const failed = page.waitForEvent('requestfailed');
  const line = page.getByRole('status').filter({ hasText: 'Стена не отвечает' });
  await ownWall.restart(async () => {
    await ownWall.seed.posts([{ by, text: 'Новая' }]);
    await failed;
    await expect(line).toBeInViewport();
    await expect(page.getByText('Нет соединения')).toHaveCount(0);
  });
  await ownWall.seed.posts([{ by, text: 'И ещё' }]);
  await expect(pill(page)).toHaveText('Показать новые: 2');
  await expect(line).toHaveCount(0);
  await expect.poll(streams).toBe(1);
});

test('the page of a visitor leads to the sign-in when the wall is closed', async ({ page, ownWall, pageErrors }) => {
  pageErrors.tolerate(/401/);
  await filledWall(ownWall, 1);
  const owner = await newPerson(ownWall);
  await ownWall.seed.appoint(owner, 'owner');
  const [post] = await ownWall.seed.posts([{ by: owner.id, text: 'Кому видно?' }]);
  await open(page, ownWall.url);
  await expect(cardOf(page, 'Запись 1')).toBeVisible();
  const { token } = await ownWall.seed.session(owner.id);
  const names = { name: 'Стена', line: '', contact: 'dvor@example.org' };
  const body = { ...names, registration: 'open', readers: 'members' } as const;
  await createClient({ baseUrl: ownWall.url, token })('PUT /keep/settings', { body });
  await expect(page.getByRole('main')).toContainText('Читают только участники');
  await expect(cardOf(page, 'Запись 1')).toHaveCount(0);
  await open(page, `${ownWall.url}/posts/${post}/reply`);
  await expect(page.getByRole('main')).toContainText('Читают только участники');
});

/** The number of open event streams of the page. */
function openStreams(page: Page): () => number {
  let open = 0;
  page.on('request', (request) => void (isStream(request) && (open += 1)));
  for (const ended of ['requestfinished', 'requestfailed'] as const) {
    page.on(ended as 'requestfinished', (request) => void (isStream(request) && (open -= 1)));
  }
  return () => open;
}
