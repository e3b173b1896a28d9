import type { Locator, Page } from '@playwright/test';
import type { PostPage } from '#contract/posts.ts';
import { cardOf, scrollToPost, settled } from './support/feed.ts';
import { filledWall, open } from './support/live.ts';
import { newPerson, signIn, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const heart = (card: Locator): Locator => card.getByRole('button', { name: 'Нравится' });

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

test('the focus moves from a post that others delete to the next one', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 3);
  const doomed = await ownWall.seed.posts(['Первая', 'Вторая'].map((text) => ({ by, text })));
  await open(page, ownWall.url);
  await cardOf(page, 'Вторая').getByRole('button', { name: 'Нравится' }).focus();
  await ownWall.seed.remove(doomed[1]!);
  await expect(cardOf(page, 'Первая')).toBeFocused();
  await ownWall.seed.remove(doomed[0]!);
  await expect(cardOf(page, 'Запись 1')).toBeFocused();
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
    const response = await page.request.get(`${ownWall.url}/api/v1/posts?limit=50`);
    const { posts }: PostPage = await response.json();
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
      const response = await fetch(`/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${accessToken.token}`, ...(body && json) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return response.status === 204 ? undefined : response.json();
    },
    [method, path, body] as const,
  );
}
