import { mutesLoaded, openPage } from './support/app.ts';
import { dialog, newPerson, profileLink, signIn, signInButton, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { choice, newPostButton, textField, toast } from './support/writing.ts';

test('signing in and out reaches the other tabs, which continue the writing and leave private pages', async ({
  page,
  context,
  wall,
  mail,
}) => {
  const person = await newPerson(wall);
  const other = await context.newPage();
  await openPage(other, `${wall.url}/posts/${wall.ids.discussed}`);
  const writing = await context.newPage();
  await openPage(writing, wall.url);
  await newPostButton(writing).click();
  await expect(dialog(writing)).toBeVisible();
  await signIn(page, mail, wall.url, person);
  await expect(profileLink(other)).toHaveText(person.name);
  await expect(writing.getByRole('dialog', { name: 'Новая запись' })).toBeVisible();
  await textField(writing).fill('Отсюда');
  await expect(choice(writing, 'Опубликовать')).toBeEnabled();
  await writing.close();
  const settings = await context.newPage();
  await settings.goto(`${wall.url}/settings`);
  await expect(settings.getByRole('button', { name: 'Выйти' })).toBeVisible();
  const liked = await context.newPage();
  const mutes = mutesLoaded(liked);
  await liked.goto(`${wall.url}/liked`);
  await expect(liked.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  await mutes;

  await Promise.all([toast(settings, 'Сеанс завершён. Войдите снова, чтобы вернуться.').waitFor(), signOut(page)]);
  await expect(signInButton(other)).toBeVisible();
  for (const tab of [settings, liked]) {
    await expect(tab).toHaveURL('/');
    await expect(signInButton(tab)).toBeVisible();
  }
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
