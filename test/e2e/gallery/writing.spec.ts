import { expectAccessible } from '../support/accessible.ts';
import { dialogLeft, hydrated } from '../support/app.ts';
import { restoreSession, newPerson } from '../support/sign-in.ts';
import { takePictures } from '../support/gallery.ts';
import { aboveKeyboard } from '../support/phone-keyboard.ts';
import { expect, test } from '../support/test.ts';
import {
  choice,
  choose,
  signInNewPerson,
  menuButton,
  newPostButton,
  publish,
  textField,
  toast,
} from '../support/writing.ts';

test.use({ settings: { EDIT_WINDOW_SECONDS: '60' } });

test('writing a post', async ({ page, ownWall, pageErrors, context }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await signInNewPerson(page, ownWall);
  await takePictures(page, 'feed-empty-signed-in');
  await newPostButton(page).click();
  await expect(textField(page)).toBeFocused();
  await takePictures(page, 'compose-empty');
  await expectAccessible(page);
  await textField(page).fill('Слово за слово. '.repeat(29));
  await takePictures(page, 'compose-near-the-end');
  await textField(page).fill('Слово за слово. '.repeat(33));
  await takePictures(page, 'compose-too-long');
  await expectAccessible(page);
  await textField(page).fill('Кто знает хорошую пекарню?');
  await context.setOffline(true);
  await choice(page, 'Опубликовать').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await takePictures(page, 'compose-offline');
  await expectAccessible(page);
  await context.setOffline(false);
  await choice(page, 'Опубликовать').click();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
  await takePictures(page, 'published');
});

test('actions on posts', async ({ page, ownWall }) => {
  const boris = await ownWall.seed.person('boris_petrov');
  const [theirs] = await ownWall.seed.posts([{ by: boris, text: 'Продаю гараж', age: 600 }]);
  await signInNewPerson(page, ownWall);
  await publish(page, 'Кто знает хорошую пекарню?');
  await menuButton(page, 'пекарню').click();
  await expect(page.getByRole('menu')).toBeVisible();
  await takePictures(page, 'menu-own');
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: /Изменить/ }).click();
  await textField(page).waitFor();
  await takePictures(page, 'edit');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await choose(page, 'пекарню', 'Удалить');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await takePictures(page, 'delete');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await dialogLeft(page);
  await page.goto(`${ownWall.url}/posts/${theirs}`);
  await hydrated(page);
  await page.getByRole('main').getByRole('button', { name: 'Ответить', exact: true }).click();
  await textField(page).waitFor();
  await takePictures(page, 'reply-writing');
  await textField(page).pressSequentially('Спросите @b');
  await page.getByRole('option').first().waitFor();
  await takePictures(page, 'mention');
  await page.keyboard.press('Escape');
  await menuButton(page, 'гараж').click();
  await takePictures(page, 'menu-others');
  await page.getByRole('menuitem', { name: 'Пожаловаться' }).click();
  await page.getByRole('radio').first().waitFor();
  await takePictures(page, 'report');
  await expectAccessible(page);
  await page.getByRole('radio').first().check();
  await expectAccessible(page);
});

test('replying to a long post, also above the keyboard of a phone, and the message that it was published', async ({
  page,
  ownWall,
}) => {
  const by = await ownWall.seed.person('galina_konstantinovna');
  await ownWall.seed.posts([{ by, text: 'Кто знает хорошую пекарню? Рассказываю, зачем. '.repeat(10).trim() }]);
  await signInNewPerson(page, ownWall);
  await page.getByRole('main').getByRole('button', { name: 'Ответить', exact: true }).click();
  await textField(page).fill('Слово за слово. '.repeat(29));
  await takePictures(page, 'reply-to-long');
  await expectAccessible(page);
  await takePictures(page, 'reply-above-keyboard', undefined, { keyboard: aboveKeyboard });
  await page.keyboard.press('Escape');
  await newPostButton(page).click();
  await textField(page).fill('Слово за слово. '.repeat(29));
  await takePictures(page, 'compose-above-keyboard', undefined, { keyboard: aboveKeyboard });
  await page.keyboard.press('Escape');
  await page.getByRole('main').getByRole('button', { name: 'Ответить', exact: true }).click();
  await textField(page).fill('Ответ');
  await choice(page, 'Опубликовать').click();
  await toast(page, 'Опубликовано').hover();
  await toast(page, 'Опубликовано').getByRole('link').focus();
  await expectAccessible(page);
});

test('expired editing and new posts', async ({ page, ownWall }) => {
  await page.clock.install();
  const person = await newPerson(ownWall);
  await ownWall.seed.posts([{ by: person.id, text: 'Опечатка' }]);
  await restoreSession(page, ownWall, person);
  await choose(page, 'Опечатка', /Изменить/);
  await textField(page).waitFor();
  await page.clock.runFor(65_000);
  await expect(page.getByRole('dialog')).toContainText('Время изменения записи истекло');
  await takePictures(page, 'edit-too-late');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await ownWall.seed.posts([{ by: await ownWall.seed.person('boris_petrov'), text: 'Новость' }]);
  await expect(page.getByRole('button', { name: /Показать новые: 1/ })).toBeVisible();
  await takePictures(page, 'news');
});

test('keyboard shortcuts', async ({ page, wall }) => {
  await page.goto(wall.url);
  await hydrated(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Клавиши' }).waitFor();
  await takePictures(page, 'keys');
});
