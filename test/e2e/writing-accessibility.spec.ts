import { limits } from '#contract/limits.ts';
import { expectAccessible } from './support/accessible.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import {
  choice,
  choose,
  signInNewPerson,
  menuButton,
  newPostButton,
  publish,
  textField,
  toast,
} from './support/writing.ts';

test('the composer, empty, too long and refused', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await signInNewPerson(page, ownWall);
  await newPostButton(page).click();
  await expect(textField(page)).toBeFocused();
  await expectAccessible(page);
  await textField(page).fill('ж'.repeat(limits.postLength + 1));
  await expectAccessible(page);
  await textField(page).fill('Запись');
  await context.setOffline(true);
  await choice(page, 'Опубликовать').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await expectAccessible(page);
  await context.setOffline(false);
});

test('the message about a deleted post with its button, and a text changed after a reply', async ({
  page,
  ownWall,
}) => {
  const { id: by } = await signInNewPerson(page, ownWall);
  const [root] = await ownWall.seed.posts([{ by, text: 'Вопрос', age: 60 }]);
  await ownWall.seed.replies(root!, [{ by, text: 'Чай на столе', age: 30 }]);
  await ownWall.seed.edit(root!, 'Другой вопрос');
  await page.goto(`${ownWall.url}/posts/${root}`);
  await expect(cardOf(page, 'Чай на столе')).toContainText(/изменено\sпосле/);
  await expectAccessible(page);
  await page.goto(`${ownWall.url}/own/replies`);
  await expect(cardOf(page, 'Чай на столе')).toContainText(/изменено\sпосле/);
  await choose(page, 'Чай на столе', 'Удалить');
  await choice(page, 'Удалить').click();
  await toast(page, 'Удалено').getByRole('button', { name: 'Вернуть' }).hover();
  await expectAccessible(page);
});

test('a reply, its quote, and the message that it was published', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts([{ by, text: 'Вопрос' }]);
  await signInNewPerson(page, ownWall);
  await cardOf(page, 'Вопрос').getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Ответ');
  await expectAccessible(page);
  await choice(page, 'Опубликовать').click();
  await toast(page, 'Опубликовано').hover();
  await toast(page, 'Опубликовано').getByRole('link').focus();
  await expectAccessible(page);
});

test('the menu, editing and deleting', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  await publish(page, 'Запись');
  await menuButton(page, 'Запись').click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: /Изменить/ }).click();
  await expect(textField(page)).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await choose(page, 'Запись', 'Удалить');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await expectAccessible(page);
});

test('a report', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts([{ by, text: 'Гараж' }]);
  await signInNewPerson(page, ownWall);
  await choose(page, 'Гараж', 'Пожаловаться');
  await page.getByRole('radio').first().waitFor();
  await expectAccessible(page);
  await page.getByRole('radio').first().check();
  await expectAccessible(page);
});

test.describe('with a short time to edit', () => {
  test.use({ settings: { EDIT_WINDOW_SECONDS: '5' } });

  test('an edit after the time is over', async ({ page, ownWall }) => {
    await signInNewPerson(page, ownWall);
    await publish(page, 'Запись');
    await choose(page, 'Запись', /Изменить/);
    await expect(page.getByRole('dialog')).toContainText('Время изменения записи истекло', { timeout: 10_000 });
    await expectAccessible(page);
  });
});
