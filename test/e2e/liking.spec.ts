import type { Page } from '@playwright/test';
import { openPage, reloadPage } from './support/app.ts';
import { askForCode, codeField, newPerson, profileLink } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { callsOf, signInNewPerson, toast } from './support/writing.ts';
import type { Wall } from './support/wall.ts';

const likes = /\/api\/v1\/posts\/\d+\/likes$/;
const text = 'Сегодня первый снег';
const heart = (page: Page) => cardOf(page, text).first().getByRole('button', { name: 'Нравится' });

test('a like appears everywhere and can be taken back', async ({ page, ownWall }) => {
  await snow(ownWall);
  await signInNewPerson(page, ownWall);
  await heart(page).click();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(heart(page)).toContainText('5');
  await cardOf(page, text).locator('time').click();
  await expect(page).toHaveURL(/\/posts\//);
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true');
  await heart(page).click();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(heart(page)).toContainText('4');
  await page.goBack();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(heart(page)).toContainText('4');
});

test('a like and its removal appear in the other tabs', async ({ page, context, ownWall }) => {
  const id = await snow(ownWall);
  await signInNewPerson(page, ownWall);
  const other = await context.newPage();
  await other.goto(`${ownWall.url}/posts/${id}`);
  await expect(profileLink(other)).toBeVisible();
  await heart(page).click();
  await expect(heart(other)).toHaveAttribute('aria-pressed', 'true');
  await expect(heart(other)).toContainText('5');
  await heart(other).click();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(heart(page)).toContainText('4');
});

test('rapid taps end in the last state, one request at a time', async ({ page, ownWall }) => {
  await snow(ownWall);
  await signInNewPerson(page, ownWall);
  let underWay = 0;
  let most = 0;
  await page.route(likes, async (route) => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const response = await route.fetch();
    underWay -= 1;
    await route.fulfill({ response });
  });
  for (let tap = 0; tap < 7; tap += 1) await heart(page).click();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true');
  const storedLikes = async (): Promise<number> => {
    const posts = await page.request.get(`${ownWall.url}/api/v1/posts`);
    return (await posts.json()).posts[0].actions.likes_count;
  };
  // There is no pending request between two requests either: wait for the last state to be stored.
  await expect.poll(async () => ({ underWay, likes: await storedLikes() })).toEqual({ underWay: 0, likes: 5 });
  await expect(heart(page)).toContainText('5');
  expect(most).toBe(1);
});

test('two taps before it is known who is signed in are one like', async ({ page, ownWall }) => {
  await snow(ownWall);
  await signInNewPerson(page, ownWall);
  const known = Promise.withResolvers<void>();
  await page.route(/\/api\/v1\/sessions\/current$/, async (route) => {
    await known.promise;
    await route.continue();
  });
  await reloadPage(page);
  const liked = page.waitForResponse(likes);
  await heart(page).click();
  await heart(page).click();
  known.resolve();
  await liked;
  await expect(profileLink(page)).toBeVisible();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(heart(page)).toContainText('5');
});

test('shows the like before the response and reverts it when the server refuses', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/429/);
  await snow(ownWall);
  await signInNewPerson(page, ownWall);
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => (refuse = resolve));
  await page.route(likes, async (route) => {
    await refused;
    const json = { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' };
    await route.fulfill({ status: 429, headers: { 'retry-after': '40' }, json });
  });
  await heart(page).click();
  await expect(heart(page)).toContainText('5');
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true');
  refuse();
  await expect(toast(page, 'Слишком много запросов. Повторить можно через 40 сек.')).toBeVisible();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(heart(page)).toContainText('4');
});

test('liking a deleted post removes its card', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const id = await snow(ownWall);
  await signInNewPerson(page, ownWall);
  // Deletes after the click: the event stream would otherwise remove the card and its button first.
  await page.route(likes, async (route) => {
    await ownWall.seed.remove(id);
    await route.continue();
  });
  await heart(page).click();
  await expect(toast(page, 'Сообщение не найдено')).toBeVisible();
  await expect(cardOf(page, text)).toBeHidden();
});

test('signing in from the like button returns to the post without liking it', async ({ page, ownWall, mail }) => {
  const id = await snow(ownWall);
  const calls = callsOf(page, 'POST', likes);
  const person = await newPerson(ownWall);
  await openPage(page, `${ownWall.url}/posts/${id}`);
  await heart(page).click();
  await askForCode(page, person.email);
  await codeField(page).fill(await mail.codeTo(person.email));
  await expect(profileLink(page)).toBeVisible();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${id}`);
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false');
  expect(calls).toEqual([]);
});

/** A post that four people like. */
async function snow({ seed }: Wall): Promise<number> {
  const by = await seed.person('galina_m');
  const [id] = await seed.posts([{ by, text }]);
  for (let number = 1; number <= 4; number += 1) await seed.like(id!, await seed.person(`liker_${number}`));
  return id!;
}
