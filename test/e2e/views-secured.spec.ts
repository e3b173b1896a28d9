import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import { profileLink, signOut } from './support/sign-in.ts';
import { cardOf, scrollToPost } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { chooseView, expectTexts, signInReader } from './support/views.ts';
import { signInNewPerson } from './support/writing.ts';

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
