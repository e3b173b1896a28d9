import { expectAccessible } from '../support/accessible.ts';
import { dialogLeft, openPage, quiet } from '../support/app.ts';
import { onlyPictures, takeAccessible, takePictures } from '../support/gallery.ts';
import { aboveKeyboard } from '../support/phone-keyboard.ts';
import { newPerson, restoreSession } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import {
  choice,
  choose,
  menuButton,
  newPostButton,
  publish,
  signInNewPerson,
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
  await takeAccessible(page, 'compose-empty');
  await textField(page).fill('Слово за слово. '.repeat(29));
  await takePictures(page, 'compose-near-the-end');
  await textField(page).fill('Слово за слово. '.repeat(33));
  await takeAccessible(page, 'compose-too-long');
  await textField(page).fill('Кто знает хорошую пекарню?');
  await context.setOffline(true);
  await choice(page, 'Опубликовать').click();
  await takeAccessible(page, 'compose-offline', page.getByRole('dialog').filter({ hasText: 'Нет соединения' }));
  await context.setOffline(false);
  await choice(page, 'Опубликовать').click();
  await takePictures(page, 'published', toast(page, 'Опубликовано'));
});

test('actions on posts', async ({ page, ownWall }) => {
  const boris = await ownWall.seed.person('boris_petrov');
  const [theirs] = await ownWall.seed.posts([{ by: boris, text: 'Продаю гараж', age: 600 }]);
  await signInNewPerson(page, ownWall);
  await publish(page, 'Кто знает хорошую пекарню?');
  await menuButton(page, 'пекарню').click();
  await takeAccessible(page, 'menu-own', page.getByRole('menu'));
  await page.getByRole('menuitem', { name: /Изменить/ }).click();
  await textField(page).waitFor();
  await takeAccessible(page, 'edit');
  await page.keyboard.press('Escape');
  await choose(page, 'пекарню', 'Удалить');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await takeAccessible(page, 'delete');
  await page.keyboard.press('Escape');

  await dialogLeft(page);
  await openPage(page, `${ownWall.url}/posts/${theirs}`);
  await takePictures(page, 'discussion-empty');
  await page.getByRole('main').getByRole('button', { name: 'Ответить', exact: true }).click();
  await textField(page).waitFor();
  await takePictures(page, 'reply-writing');
  await textField(page).pressSequentially('Спросите @b');
  await takePictures(page, 'mention', page.getByRole('option').first());
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialogLeft(page);
  await menuButton(page, 'гараж').click();
  await takePictures(page, 'menu-others');
  await page.getByRole('menuitem', { name: 'Пожаловаться' }).click();
  await takeAccessible(page, 'report', page.getByRole('radio').first());
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
  await quiet(page);
  await page.getByRole('main').getByRole('button', { name: 'Ответить', exact: true }).click();
  await textField(page).fill('Слово за слово. '.repeat(29));
  await takeAccessible(page, 'reply-to-long');
  await takePictures(page, 'reply-above-keyboard', undefined, { keyboard: aboveKeyboard });
  await page.keyboard.press('Escape');
  await dialogLeft(page);
  await newPostButton(page).click();
  await textField(page).fill('Слово за слово. '.repeat(29));
  await takePictures(page, 'compose-above-keyboard', undefined, { keyboard: aboveKeyboard });
  await page.keyboard.press('Escape');
  await dialogLeft(page);
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
  await takeAccessible(
    page,
    'edit-too-late',
    page.getByRole('dialog').filter({ hasText: 'Время изменения записи истекло' }),
  );
  await page.keyboard.press('Escape');
  await ownWall.seed.posts([{ by: await ownWall.seed.person('boris_petrov'), text: 'Новость' }]);
  await takePictures(page, 'news', page.getByRole('button', { name: /Показать новые: 1/ }));
});

test('keyboard shortcuts', onlyPictures, async ({ page, wall }) => {
  await openPage(page, wall.url);
  await page.keyboard.press('?');
  await takePictures(page, 'keys', page.getByRole('dialog', { name: 'Клавиши' }));
});
