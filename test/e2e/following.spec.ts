import type { Locator, Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { expectAccessible } from './support/accessible.ts';
import { askForCode, codeField, newPerson } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { callsOf, choose, menuButton, signInNewPerson, toast } from './support/writing.ts';

const text = 'Кто идёт на каток?';
const follow = 'Следить за обсуждением';
const path = '**/api/v1/posts/*/follow';

const item = (page: Page): Locator => page.getByRole('menuitem', { name: /^(Следить\sза\sобсуждением|Не\sследить)$/ });

test('the menu follows a discussion, and stops following it', async ({ page, ownWall }) => {
  await openAsReader(page, ownWall);
  await menuButton(page, text).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Скопировать ссылку', follow, 'Скрыть автора', 'Пожаловаться']);
  await expect(item(page)).toBeEnabled();
  await item(page).click();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(toast(page, 'Вы следите за обсуждением')).toBeVisible();
  await page.reload();
  await menuButton(page, text).click();
  await expect(item(page)).toHaveText('Не следить');
  await item(page).press('Enter');
  await expect(toast(page, 'Вы больше не следите за обсуждением')).toBeVisible();
  await menuButton(page, text).click();
  await expect(item(page)).toHaveText(follow);
});

test('any reply of the discussion has the same state, and an author follows their own', async ({ page, ownWall }) => {
  const { me, post } = await openAsReader(page, ownWall);
  await ownWall.seed.replies(post, [{ by: me, text: 'Я иду!' }]);
  const [own] = await ownWall.seed.posts([{ by: me, text: 'А кто на лыжах?' }]);
  await page.goto(`${ownWall.url}/posts/${post}`);
  await menuButton(page, 'Я иду!').click();
  // Replying follows.
  await expect(item(page)).toHaveText('Не следить');
  await item(page).click();
  await menuButton(page, text).click();
  await expect(item(page)).toHaveText(follow);
  await page.goto(`${ownWall.url}/posts/${own}`);
  await menuButton(page, 'А кто на лыжах?').click();
  await expect(item(page)).toHaveText('Не следить');
});

test('until the server has answered the item does nothing, and nothing in the menu moves', async ({
  page,
  ownWall,
}) => {
  const { me, post } = await openAsReader(page, ownWall);
  await ownWall.seed.follow(post, me);
  const answer = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await answer.promise;
    await route.continue();
  });
  const changes = callsOf(page, 'DELETE', /follow$/);
  await menuButton(page, text).click();
  await expect(item(page)).toHaveAttribute('aria-disabled', 'true');
  const before = await boxes(page);
  await item(page).click({ force: true });
  await expect(page.getByRole('menu')).toBeVisible();
  answer.resolve();
  await expect(item(page)).toHaveText('Не следить');
  await expect(item(page)).not.toHaveAttribute('aria-disabled');
  expect(await boxes(page)).toEqual(before);
  expect(changes).toEqual([]);
});

test('a failure is reported and leaves the discussion as it was', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/503/);
  await openAsReader(page, ownWall);
  await page.route(path, (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
  );
  const answer = Promise.withResolvers<void>();
  await choose(page, text, follow);
  await expect(page.getByRole('status').filter({ hasText: /./ })).toContainText(/Попробуйте|ошибк/i);
  await page.route(path, async (route) => {
    await answer.promise;
    await route.continue();
  });
  await menuButton(page, text).click();
  // Known from before: the server has not answered again.
  await expect(item(page)).toHaveText(follow);
  await expect(item(page)).toBeEnabled();
  answer.resolve();
});

test('a visitor signs in and then follows the discussion', async ({ page, ownWall, mail }) => {
  const boris = await ownWall.seed.person('boris_petrov');
  await ownWall.seed.posts([{ by: boris, text }]);
  const { email } = await newPerson(ownWall);
  await openPage(page, ownWall.url);
  const asked = callsOf(page, 'GET', /follow$/);
  await choose(page, text, follow);
  expect(asked).toEqual([]);
  await askForCode(page, email);
  const done = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith('/follow'),
  );
  await codeField(page).fill(await mail.codeTo(email));
  expect((await done).status()).toBe(200);
  await expect(toast(page, 'Вы следите за обсуждением')).toBeVisible();
});

test('a visitor may follow a discussion further down than the first page', async ({ page, ownWall, mail }) => {
  const boris = await ownWall.seed.person('boris_petrov');
  const others = Array.from({ length: 25 }, (_, i) => ({ by: boris, text: `Запись ${i}` }));
  await ownWall.seed.posts([{ by: boris, text }, ...others]);
  const { email } = await newPerson(ownWall);
  await openPage(page, ownWall.url);
  await expect(async () => {
    await page.mouse.wheel(0, 2_000);
    await expect(cardOf(page, text)).toBeVisible({ timeout: 500 });
  }).toPass();
  await choose(page, text, follow);
  await askForCode(page, email);
  // The list is not loaded down to the post when the session is known.
  await page.route(/\/api\/v1\/posts\?/, () => {});
  await codeField(page).fill(await mail.codeTo(email));
  await expect(toast(page, 'Вы следите за обсуждением')).toBeVisible();
});

test('the menu is accessible', async ({ page, ownWall }) => {
  test.setTimeout(60_000);
  await openAsReader(page, ownWall);
  await menuButton(page, text).click();
  await expect(item(page)).toBeEnabled();
  await expectAccessible(page);
});

/** Opens the feed with a post of another person. */
async function openAsReader(page: Page, wall: Wall): Promise<{ me: number; post: number }> {
  const boris = await wall.seed.person('boris_petrov');
  const [post] = await wall.seed.posts([{ by: boris, text }]);
  const { id } = await signInNewPerson(page, wall);
  return { me: id, post: post! };
}

const boxes = (page: Page) =>
  page
    .locator('[role=menu], [role=menuitem]')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
