import { openPage } from './support/app.ts';
import { newPerson, profileLink, signIn, signInButton, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { toast } from './support/writing.ts';

test('signing in and out reaches the other tabs', async ({ page, context, wall, mail }) => {
  const person = await newPerson(wall);
  const other = await context.newPage();
  await openPage(other, `${wall.url}/posts/${wall.ids.discussed}`);
  await signIn(page, mail, wall.url, person);
  await expect(profileLink(other)).toHaveText(person.name);
  await signOut(page);
  await expect(signInButton(other)).toBeVisible();
});

test('signing out leads another tab from a private page to the feed', async ({ page, context, wall, mail }) => {
  await signIn(page, mail, wall.url, await newPerson(wall));
  const other = await context.newPage();
  await other.goto(`${wall.url}/settings`);
  await expect(other.getByRole('button', { name: 'Выйти' })).toBeVisible();
  await Promise.all([toast(other, 'Сеанс завершён. Войдите снова, чтобы вернуться.').waitFor(), signOut(page)]);
  await expect(other).toHaveURL('/');
  await expect(signInButton(other)).toBeVisible();
  await expect(toast(page, 'Сеанс завершён')).toHaveCount(0);
});

test.describe('with tokens that are always about to expire', () => {
  test.use({ settings: { ACCESS_TOKEN_SECONDS: '2' } });

  test('two tabs renew them at the same time and stay signed in', async ({ page, context, ownWall, mail }) => {
    const person = await newPerson(ownWall);
    await signIn(page, mail, ownWall.url, person);
    const tabs = [page, await context.newPage()];
    for (let turn = 0; turn < 3; turn += 1) {
      await Promise.all(tabs.map((tab) => tab.goto(`${ownWall.url}/settings`)));
      for (const tab of tabs) await expect(tab.getByRole('main')).toContainText(person.email);
      await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Лента' }).click()));
      for (const tab of tabs) await expect(tab).toHaveURL(`${ownWall.url}/`);
    }
    // Longer than the lifetime of a token.
    await page.waitForTimeout(2_500);
    for (const tab of tabs) {
      await profileLink(tab).click();
      await expect(tab.getByRole('main')).toContainText(person.email);
    }
  });
});
