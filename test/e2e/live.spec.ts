import type { Locator, Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import type { PostPage } from '#contract/posts.ts';
import { expectAccessible } from './support/accessible.ts';
import { hydrated } from './support/app.ts';
import { newPerson, signIn, signOut } from './support/sign-in.ts';
import { articles, cardOf, scrollPosition, scrollToPost, settled } from './support/feed.ts';
import { ordinaryText } from './support/populated-wall.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

const author = 'galina_m';

test('new posts wait behind a pill without a layout shift and appear on a click', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 15);
  await watchShift(page);
  await open(page, ownWall.url);
  const top = page.locator('article[aria-posinset="1"]');
  await expect(top).toContainText('Запись 1');
  const before = await top.boundingBox();

  await ownWall.seed.posts([{ by, text: 'Новая первая' }]);
  await expect(pill(page)).toHaveText('Показать новые: 1');
  await ownWall.seed.posts([
    { by, text: 'Новая вторая' },
    { by, text: 'Новая третья' },
  ]);
  await expect(pill(page)).toHaveText('Показать новые: 3');
  await expect(pill(page)).toBeInViewport({ ratio: 1 });
  await expect(top).toContainText('Запись 1');
  expect(await top.boundingBox()).toEqual(before);
  await expectNoShift(page);
  await expect(cardOf(page, 'Новая')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: /Показать новые: \d/ })).toHaveCount(1);

  await pill(page).click();
  await expect(articles(page).first()).toBeFocused();
  await expect(pill(page)).toHaveCount(0);
  for (const [index, text] of ['Новая третья', 'Новая вторая', 'Новая первая', 'Запись 1'].entries()) {
    await expect(articles(page).nth(index)).toContainText(text);
  }
});

test('far down the page the pill scrolls to the top', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 60);
  await open(page, ownWall.url);
  await scrollToPost(page, 45);
  await settled(page);
  const middle = cardOf(page, 'Запись 42');
  const before = await middle.boundingBox();

  await ownWall.seed.posts(Array.from({ length: 23 }, (_, index) => ({ by, text: `Новая ${23 - index}` })));
  await expect(pill(page)).toHaveText('Показать новые: 23');
  await expect(pill(page)).toBeInViewport({ ratio: 1 });
  expect(await middle.boundingBox()).toEqual(before);

  await pill(page).focus();
  await page.keyboard.press('Enter');
  await expect(articles(page).first()).toBeFocused();
  expect(await scrollPosition(page)).toBe(0);
  await expect(articles(page).first()).toContainText('Новая 1');
  await scrollToPost(page, 26);
  await expect(page.locator('article[aria-posinset="24"]')).toContainText('Запись 1');
});

test('more new posts than one response contains restart the list', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 15);
  await open(page, ownWall.url);
  await ownWall.seed.posts(Array.from({ length: 64 }, (_, index) => ({ by, text: `Новая ${64 - index}` })));
  await expect(pill(page)).toHaveText('Показать новые: 64');
  await pill(page).click();
  await expect(articles(page).first()).toContainText('Новая 1');
  await expect(pill(page)).toHaveCount(0);
  await scrollToPost(page, 79);
  await expect(page.locator('article[aria-posinset="79"]')).toContainText('Запись 15');
});

test('an empty feed shows its first post immediately', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person(author);
  await open(page, ownWall.url);
  await ownWall.seed.posts([{ by, text: 'Самая первая' }]);
  await expect(cardOf(page, 'Самая первая')).toBeVisible();
  await expect(pill(page)).toHaveCount(0);
});

test('a failed request for new posts is reported and can be retried', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const by = await filledWall(ownWall, 5);
  await open(page, ownWall.url);
  await ownWall.seed.posts([{ by, text: 'Новая' }]);
  await expect(pill(page)).toBeVisible();
  await page.route('**/api/v1/posts?*', (route) => route.abort('connectionreset'), { times: 1 });
  await pill(page).click();
  const again = page.getByRole('button', { name: 'Не удалось. Повторить' });
  await expect(again).toBeFocused();
  await again.click();
  await expect(cardOf(page, 'Новая')).toBeFocused();
  await expect(again).toHaveCount(0);
});

test('an author’s page announces only the posts of that author', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const other = await ownWall.seed.person('other_author');
  await open(page, `${ownWall.url}/users/${author}`);
  await ownWall.seed.posts([{ by: other, text: 'Чужая' }]);
  await ownWall.seed.posts([{ by, text: 'Новая' }]);
  await expect(pill(page)).toHaveText('Показать новые: 1');
  await pill(page).click();
  await expect(articles(page).first()).toContainText('Новая');
  await expect(cardOf(page, 'Чужая')).toHaveCount(0);
});

test('edits, counts and deletions by others appear on every page with the post', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const { seed } = ownWall;
  const [root, doomed] = await seed.posts([
    { by, text: 'Было так' },
    { by, text: 'Скоро удалят' },
  ]);
  await open(page, ownWall.url);
  await seed.edit(root!, 'Стало иначе');
  await expect(cardOf(page, 'Стало иначе')).toContainText('изменено');
  await seed.like(root!, by);
  await seed.replies(root!, [{ by, text: 'Ответ' }]);
  const card = cardOf(page, 'Стало иначе');
  await expect(card.getByRole('button', { name: 'Нравится' })).toContainText('1');
  await expect(card.getByRole('button', { name: 'Ответить' })).toContainText('1');
  await seed.unlike(root!, by);
  await expect(card.getByRole('button', { name: 'Нравится' })).toHaveText('Нравится');
  await seed.remove(doomed!);
  await expect(cardOf(page, 'Скоро удалят')).toHaveCount(0);
});

for (const [where, place] of [
  ['on the first page', 3],
  ['among windowed posts', 30],
] as const) {
  test(`a post deleted ${where}, above the visible ones, causes no shift`, async ({ page, ownWall }) => {
    await filledWall(ownWall, 60);
    await open(page, ownWall.url);
    await scrollToPost(page, 45);
    await settled(page);
    const middle = cardOf(page, 'Запись 42');
    const before = (await middle.boundingBox())!;
    const answer = await page.request.get(`${ownWall.url}/api/v1/posts?limit=50`);
    const { posts }: PostPage = await answer.json();
    await ownWall.seed.remove(Number(posts[place - 1]!.id));
    await expect(middle).toHaveAttribute('aria-posinset', '41');
    await settled(page);
    // Windows scroll by whole pixels.
    expect(Math.abs((await middle.boundingBox())!.y - before.y)).toBeLessThan(1);
  });
}

test('a post deleted while it is open shows a message, and so does its quotation', async ({
  page,
  context,
  ownWall,
}) => {
  const by = await filledWall(ownWall, 3);
  const [root] = await ownWall.seed.posts([{ by, text: 'Скоро удалят' }]);
  const [reply] = await ownWall.seed.replies(root!, [{ by, text: 'Ответ на неё' }]);
  await open(page, `${ownWall.url}/posts/${root}`);
  const other = await context.newPage();
  await open(other, `${ownWall.url}/posts/${reply}`);
  await ownWall.seed.remove(root!);
  await expect(page.getByRole('heading', { name: 'Запись не найдена' })).toBeVisible();
  // The other tab is in the background; headless Chromium still reports it as visible.
  await expect(other.getByRole('main')).toContainText('Запись удалена');
});

test('new replies to the open post take their place without moving what is read', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const { seed } = ownWall;
  const [root, elsewhere] = await seed.posts([
    { by, text: `Вопрос\n${'Много слов. '.repeat(40)}` },
    { by, text: 'Другая запись' },
  ]);
  await seed.replies(root!, [{ by, text: 'Старый ответ' }]);
  await open(page, `${ownWall.url}/posts/${root}`);
  const old = cardOf(page, 'Старый ответ');
  const before = await old.boundingBox();
  await seed.replies(elsewhere!, [{ by, text: 'Не сюда' }]);
  await seed.replies(root!, [
    { by, text: 'Новый ответ' },
    { by, text: 'Ещё ответ' },
  ]);
  const next = page.getByRole('button', { name: /^Новые ответы/ });
  await expect(next).toHaveText('Новые ответы: 2');
  expect(await old.boundingBox()).toEqual(before);
  await expect(page.getByRole('article').first().getByRole('button', { name: 'Ответить' })).toContainText('3');
  await next.click();
  await expect(articles(page).first()).toBeFocused();
  await expect(articles(page)).toHaveText([/Ещё ответ/, /Новый ответ/, /Старый ответ/]);
  await expect(articles(page).first()).toBeInViewport();
});

test('replies written while the reader was on another page are there on return', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const [root] = await ownWall.seed.posts([{ by, text: 'Вопрос' }]);
  await ownWall.seed.replies(root!, [{ by, text: 'Первый ответ' }]);
  await open(page, `${ownWall.url}/posts/${root}`);
  await page.getByRole('link', { name: author }).first().click();
  await expect(articles(page).first()).toBeVisible();
  await ownWall.seed.replies(root!, [{ by, text: 'Новый ответ' }]);
  await page.waitForTimeout(600);
  await page.getByRole('button', { name: 'Назад' }).click();
  await page.getByRole('button', { name: 'Новые ответы: 1' }).click();
  await expect(cardOf(page, 'Новый ответ')).toBeFocused();
});

test('a hidden tab closes its event stream and catches up when it becomes visible', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const streams = openStreams(page);
  await open(page, ownWall.url);
  await expect.poll(streams).toBe(1);
  await setVisibility(page, 'hidden');
  await expect.poll(streams).toBe(0);
  await ownWall.seed.posts([{ by, text: 'Новая' }]);
  await page.waitForTimeout(600);
  await expect(pill(page)).toHaveCount(0);
  await setVisibility(page, 'visible');
  await expect(pill(page)).toHaveText('Показать новые: 1');
  expect(streams()).toBe(1);
});

test('changes made while the server was down appear afterwards', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING/);
  const by = await filledWall(ownWall, 3);
  const streams = openStreams(page);
  await open(page, ownWall.url);
  await expect.poll(streams).toBe(1);
  await ownWall.restart(() => ownWall.seed.posts([{ by, text: 'Новая' }]));
  await ownWall.seed.posts([{ by, text: 'И ещё' }]);
  await expect(pill(page)).toHaveText('Показать новые: 2', { timeout: 20_000 });
  expect(streams()).toBe(1);
});

test('changes made while the browser was offline appear afterwards', async ({ page, context, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const streams = openStreams(page);
  await open(page, ownWall.url);
  await expect.poll(streams).toBe(1);
  await context.setOffline(true);
  await expect.poll(streams).toBe(0);
  await ownWall.seed.posts([{ by, text: 'Новая' }]);
  await context.setOffline(false);
  await expect(pill(page)).toHaveText('Показать новые: 1');
});

test('without event streams the page polls', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_FAILED/);
  const by = await filledWall(ownWall, 3);
  await page.clock.install();
  await page.route(events, (route) => (isStream(route.request()) ? route.abort() : route.continue()));
  await open(page, ownWall.url);
  for (const text of ['Первая', 'Вторая']) {
    const answer = page.waitForResponse(events);
    await page.clock.runFor(limits.pollMs);
    await answer;
    await ownWall.seed.posts([{ by, text }]);
  }
  await page.clock.runFor(limits.pollMs);
  await expect(pill(page)).toHaveText('Показать новые: 2');
});

test('after more changes than the log returns, the page reloads its data', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const [edited, doomed] = await ownWall.seed.posts([
    { by, text: 'Было так' },
    { by, text: 'Скоро удалят' },
  ]);
  const release = Promise.withResolvers<void>();
  const reset = { position: '1', reset: true, posts: [], replies: [], changed: [], deleted: [], counts: [] };
  await page.route(
    events,
    async (route) => {
      await release.promise;
      await route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(reset)}\n\n` });
    },
    { times: 1 },
  );
  await open(page, ownWall.url);
  await ownWall.seed.edit(edited!, 'Стало иначе');
  await ownWall.seed.remove(doomed!);
  await ownWall.seed.posts([{ by, text: 'Новая' }]);
  release.resolve();
  await expect(cardOf(page, 'Стало иначе')).toContainText('изменено');
  await expect(cardOf(page, 'Скоро удалят')).toHaveCount(0);
  await expect(pill(page)).toHaveText('Показать новые: 1');
});

test('the likes of the signed-in person appear once the session is loaded, in every tab', async ({
  page,
  context,
  mail,
  ownWall,
}) => {
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

test('two people in two browsers see each other’s changes', async ({ page, browser, mail, ownWall }) => {
  const [one, other] = [await newPerson(ownWall), await newPerson(ownWall)];
  await signIn(page, mail, ownWall.url, one);
  const elsewhere = await browser.newContext();
  const otherPage = await elsewhere.newPage();
  await signIn(otherPage, mail, ownWall.url, other);

  const { id } = await callAs(page, 'POST', '/posts', { text: 'Кто здесь?' });
  await expect(cardOf(otherPage, 'Кто здесь?')).toBeVisible();
  await expect(cardOf(page, 'Кто здесь?')).toBeVisible();
  await callAs(otherPage, 'POST', `/posts/${id}/likes`);
  await callAs(otherPage, 'POST', `/posts/${id}/replies`, { text: 'Я!' });
  const written = cardOf(page, 'Кто здесь?');
  await expect(heart(written)).toHaveText('Нравится1');
  await expect(heart(written)).toHaveAttribute('aria-pressed', 'false');
  await expect(written.getByRole('button', { name: 'Ответить' })).toContainText('1');

  await callAs(page, 'PATCH', `/posts/${id}`, { text: 'Есть кто?' });
  await expect(cardOf(otherPage, 'Есть кто?')).toContainText('изменено');
  await callAs(page, 'DELETE', `/posts/${id}`);
  await expect(cardOf(otherPage, 'Есть кто?')).toHaveCount(0);
  await elsewhere.close();
});

test('the pill is accessible in both themes', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 12);
  await open(page, ownWall.url);
  await ownWall.seed.posts([{ by, text: 'Новая' }]);
  await expect(pill(page)).toBeVisible();
  await expectAccessible(page);
});

const events = '**/api/v1/events?*';

const pill = (page: Page): Locator => page.getByRole('button', { name: /^Показать новые: \d/ });
const heart = (card: Locator): Locator => card.getByRole('button', { name: 'Нравится' });

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

/** Posts by one author; «Запись 1» is the newest. */
async function filledWall({ seed }: Wall, posts: number): Promise<number> {
  const by = await seed.person(author);
  await seed.posts(
    Array.from({ length: posts }, (_, index) => ({ by, text: ordinaryText(posts - index), age: 3_600 })),
  );
  return by;
}

const isStream = (request: { headers(): Record<string, string> }): boolean =>
  request.headers()['accept'] === 'text/event-stream';

/** The number of open event streams of the page. */
function openStreams(page: Page): () => number {
  let open = 0;
  page.on('request', (request) => void (isStream(request) && (open += 1)));
  for (const ended of ['requestfinished', 'requestfailed'] as const) {
    page.on(ended as 'requestfinished', (request) => void (isStream(request) && (open -= 1)));
  }
  return () => open;
}

/** A call with the session of the page. */
function callAs(page: Page, method: string, path: string, body?: object): Promise<{ id: string }> {
  return page.evaluate(
    async ([method, path, body]) => {
      const json = { 'content-type': 'application/json' };
      const renewed = await fetch('/api/v1/sessions/current', {
        method: 'PATCH',
        headers: json,
        body: JSON.stringify({ clientToken: 'of no matter' }),
      });
      const { accessToken } = await renewed.json();
      const answer = await fetch(`/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${accessToken.token}`, ...(body && json) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return answer.status === 204 ? undefined : answer.json();
    },
    [method, path, body] as const,
  );
}

/** Simulates that the tab becomes hidden or visible. */
async function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
