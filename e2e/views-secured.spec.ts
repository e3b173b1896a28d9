import { expectSameDocument, hydrated, markDocument } from './support/app.ts';
import {
  askForCode,
  closeOtherSessions,
  codeField,
  dialog,
  newPerson,
  profileLink,
  arrive,
  signInButton,
  signOut,
} from './support/door.ts';
import { cardOf, scrollToPost } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { chooseView, expectTexts, signInReader, signInSomebody } from './support/views.ts';

const paths = ['/liked', '/own/posts', '/own/replies'];

for (const path of paths) {
  test(`a visitor at ${path} is told that it is not there, and comes back there by signing in`, async ({
    page,
    wall,
    mail,
  }) => {
    const { name, email } = await newPerson(wall);
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
    await main.getByRole('button', { name: 'Войти' }).click();
    await expect(dialog(page)).toBeVisible();
    await askForCode(page, email);
    await codeField(page).fill(await mail.codeTo(email));
    await expect(profileLink(page)).toHaveText(name);
    await expect(main.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
    await expect(page).toHaveURL(path);
  });
}

test('what was one’s own is not found by going back after signing out', async ({ page, ownWall }) => {
  const { id: me } = await signInSomebody(page, ownWall);
  await ownWall.seed.posts([{ by: me, text: 'Моя запись' }]);
  await chooseView(page, 'Мои записи');
  await expectTexts(page, ['Моя запись']);
  await markDocument(page);
  await signOut(page);
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
  await expectSameDocument(page);
});

test('signing out leads another tab from a list of one’s own to the feed', async ({ page, context, wall }) => {
  await signInSomebody(page, wall);
  const other = await context.newPage();
  await other.goto(`${wall.url}/liked`);
  await expect(other.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  await signOut(page);
  await expect(other).toHaveURL('/');
  await expect(signInButton(other)).toBeVisible();
});

test('whoever signs in next, in another tab, does not find the list of the one before', async ({
  page,
  context,
  wall,
}) => {
  await signInSomebody(page, wall);
  await chooseView(page, 'Понравившиеся');
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(wall.url);
  await other.evaluate(() => localStorage.setItem('signed-in', 'by somebody else'));
  await expect(page).toHaveURL('/');
  await expect(profileLink(page)).toBeVisible();
});

test.describe('with no pause between codes', () => {
  test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

  test('a list chosen after the session was closed elsewhere gives way to the feed', async ({
    page,
    browser,
    ownWall,
    mishaps,
  }) => {
    mishaps.expect(/401/);
    await ownWall.seed.posts([{ by: await ownWall.seed.person('boris_petrov'), text: 'Запись' }]);
    const person = await signInSomebody(page, ownWall);
    const elsewhere = await browser.newContext();
    const otherPage = await elsewhere.newPage();
    await arrive(otherPage, ownWall, person);
    expect(await closeOtherSessions(otherPage)).toBe(204);
    await elsewhere.close();

    await chooseView(page, 'Понравившиеся');
    await expect(signInButton(page)).toBeVisible();
    await expect(page).toHaveURL(`${ownWall.url}/`);
    await expectTexts(page, ['Запись']);
    await page.goto(`${ownWall.url}/liked`);
    await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
  });
});

test.describe('without the Navigation API', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  });

  test('lists open, go on, fail, are asked for again and give way to the feed', async ({
    page,
    context,
    ownWall,
    mishaps,
  }) => {
    await signInReader(page, ownWall);
    expect(await page.evaluate(() => 'navigation' in window)).toBe(false);
    await Promise.all([page.waitForEvent('load'), chooseView(page, 'Понравившиеся')]);
    await expect(cardOf(page, 'Запись 1').first()).toBeVisible();
    await scrollToPost(page, 25);

    mishaps.expect(/503/);
    await page.route('**/api/v1/posts?*', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
    await page.reload();
    await page.getByRole('button', { name: 'Повторить' }).click();
    await expect(cardOf(page, 'Запись 1').first()).toBeVisible();

    const other = await context.newPage();
    await other.goto(ownWall.url);
    await hydrated(other);
    await signOut(other);
    await expect(page).toHaveURL(`${ownWall.url}/`);
    await page.goto(`${ownWall.url}/liked`);
    await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
  });
});
