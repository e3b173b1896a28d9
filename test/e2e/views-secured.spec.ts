import { expectSameDocument, markDocument, mutesLoaded, openPage } from './support/app.ts';
import {
  askForCode,
  closeOtherSessions,
  codeField,
  dialog,
  newPerson,
  profileLink,
  restoreSession,
  signInButton,
  signOut,
} from './support/sign-in.ts';
import { cardOf, scrollToPost } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { chooseView, expectTexts, signInReader } from './support/views.ts';
import { signInNewPerson } from './support/writing.ts';

const paths = ['/liked', '/own/posts', '/own/replies'];

for (const path of paths) {
  test(`a visitor at ${path} is asked to sign in and returns there`, async ({ page, wall, mail }) => {
    const { name, email } = await newPerson(wall);
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
    await main.getByRole('button', { name: 'Войти' }).click();
    await expect(dialog(page)).toBeVisible();
    await askForCode(page, email);
    await codeField(page).fill(await mail.codeTo(email));
    await expect(profileLink(page)).toHaveText(name);
    await expect(main.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
    await expect(page).toHaveURL(path);
  });
}

test('after signing out, Back does not show private lists', async ({ page, ownWall }) => {
  const { id: me } = await signInNewPerson(page, ownWall);
  await ownWall.seed.posts([{ by: me, text: 'Моя запись' }]);
  await chooseView(page, 'Мои записи');
  await expectTexts(page, ['Моя запись']);
  await markDocument(page);
  await signOut(page);
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
  await expectSameDocument(page);
});

test('signing out leads another tab from a private list to the feed', async ({ page, context, wall }) => {
  await signInNewPerson(page, wall);
  const other = await context.newPage();
  const mutes = mutesLoaded(other);
  await other.goto(`${wall.url}/liked`);
  await expect(other.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  await mutes;
  await signOut(page);
  await expect(other).toHaveURL('/');
  await expect(signInButton(other)).toBeVisible();
});

test('the next person to sign in does not see the list of the previous one', async ({ page, context, wall }) => {
  await signInNewPerson(page, wall);
  await chooseView(page, 'Понравившиеся');
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(wall.url);
  await other.evaluate(() => localStorage.setItem('signed-in', 'by another person'));
  await expect(page).toHaveURL('/');
  await expect(profileLink(page)).toBeVisible();
});

test.describe('without a pause between codes', () => {
  test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

  test('a list selected after the session was closed elsewhere gives way to the feed', async ({
    page,
    browser,
    ownWall,
    pageErrors,
  }) => {
    pageErrors.expect(/401/);
    await ownWall.seed.posts([{ by: await ownWall.seed.person('boris_petrov'), text: 'Запись' }]);
    const person = await signInNewPerson(page, ownWall);
    const elsewhere = await browser.newContext();
    const otherPage = await elsewhere.newPage();
    await restoreSession(otherPage, ownWall, person);
    expect(await closeOtherSessions(otherPage)).toBe(204);
    await elsewhere.close();

    await chooseView(page, 'Понравившиеся');
    await expect(signInButton(page)).toBeVisible();
    await expect(page).toHaveURL(`${ownWall.url}/`);
    await expectTexts(page, ['Запись']);
    await page.goto(`${ownWall.url}/liked`);
    await expect(page.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
  });
});

test.describe('without the Navigation API', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  });

  test('lists open, load more, fail, can be retried and give way to the feed', async ({
    page,
    context,
    ownWall,
    pageErrors,
  }) => {
    await signInReader(page, ownWall);
    expect(await page.evaluate(() => 'navigation' in window)).toBe(false);
    await Promise.all([page.waitForEvent('load'), chooseView(page, 'Понравившиеся')]);
    await expect(cardOf(page, 'Запись 1').first()).toBeVisible();
    await scrollToPost(page, 25);

    pageErrors.expect(/503/);
    await page.route('**/api/v1/posts?*', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
    await page.reload();
    await page.getByRole('button', { name: 'Повторить' }).click();
    await expect(cardOf(page, 'Запись 1').first()).toBeVisible();

    // The list may be requested once more before the end of the session is known.
    pageErrors.tolerate(/401/);
    const other = await context.newPage();
    await openPage(other, ownWall.url);
    await signOut(other);
    await expect(page).toHaveURL(`${ownWall.url}/`);
    await page.goto(`${ownWall.url}/liked`);
    await expect(page.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
  });
});
