import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { dialogLeft, openPage, reloadPage } from './support/app.ts';
import {
  askForCode,
  button,
  codeField,
  dialog,
  emailField,
  newAddress,
  openDialog,
  profileLink,
  signInButton,
} from './support/sign-in.ts';
import { articles, cardOf } from './support/feed.ts';
import { keepReadingFromServer } from './support/reading.ts';
import { expect, test } from './support/test.ts';
import { signInNewPerson, newPostButton, publish, textField } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0', CONTACT: 'mailto:keeper@wall.example' } });

const reason = 'Реклама в каждом ответе';

const inviteField = (page: Page) => page.getByRole('textbox', { name: 'Код приглашения' });

test('a blocked person sees why, keeps the draft, can read but not sign in', async ({
  page,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/40[03]/);
  await keepReadingFromServer(page);
  const { name, email } = await signInNewPerson(page, ownWall);
  await publish(page, 'Доброе утро');
  await newPostButton(page).click();
  await textField(page).fill('Ещё кое-что');
  await ownWall.admin('block', name, '--reason', reason);
  await page.getByRole('dialog').getByRole('button', { name: 'Опубликовать' }).click();

  const notice = page.getByRole('dialog', { name: 'Учётная запись заблокирована' });
  await expect(notice).toContainText(`Причина: ${reason}`);
  await expect(notice.getByRole('link', { name: 'keeper@wall.example' })).toHaveAttribute(
    'href',
    'mailto:keeper@wall.example',
  );
  await expect(notice.getByRole('link', { name: 'Правила' })).toHaveAttribute('href', '/rules');
  await expectAccessible(page);
  await notice.getByRole('button', { name: 'Понятно' }).click();
  await expect(textField(page)).toHaveValue('Ещё кое-что');
  await page.keyboard.press('Escape');
  await expect(signInButton(page)).toBeVisible();
  await expect(cardOf(page, 'Доброе утро')).toBeVisible();
  await dialogLeft(page);

  await openDialog(page, ownWall.url);
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(dialog(page)).toContainText(reason);
  await expect(dialog(page).getByRole('link', { name: 'keeper@wall.example' })).toHaveAttribute(
    'href',
    'mailto:keeper@wall.example',
  );
  await expectAccessible(page);
  await button(page, 'Вернуться').click();
  await expect(emailField(page)).toBeFocused();

  await ownWall.admin('unblock', name, '--reason', 'договорились');
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
});

test('a form sent after the page has learned of the block keeps its text', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/403/);
  const blocked = Promise.withResolvers<void>();
  await page.route('**/users/current/reading', async (route) => {
    await blocked.promise;
    await route.continue();
  });
  const { name } = await signInNewPerson(page, ownWall);
  await publish(page, 'Доброе утро');
  await newPostButton(page).click();
  await textField(page).fill('Ещё кое-что');
  await ownWall.admin('block', name, '--reason', reason);
  blocked.resolve();
  const notice = page.getByRole('dialog', { name: 'Учётная запись заблокирована' });
  await expect(notice).toBeVisible();
  const form = page.getByRole('dialog', { name: 'Новая запись' });
  // The notice is above the form: the press came just before it.
  await form.getByRole('button', { name: 'Опубликовать' }).dispatchEvent('click');
  await expect(form.getByRole('alert').last()).toContainText(reason);
  await notice.getByRole('button').first().click();
  await expect(textField(page)).toHaveValue('Ещё кое-что');
});

test('a person blocked in the meantime sees the page as a visitor', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/403/);
  const { name } = await signInNewPerson(page, ownWall);
  await ownWall.admin('block', name, '--reason', reason);
  await page.goto(`${ownWall.url}/own/posts`);
  await expect(page.getByRole('dialog', { name: 'Учётная запись заблокирована' })).toContainText(reason);
  await page.keyboard.press('Escape');
  await expect(signInButton(page)).toBeVisible();
  await dialogLeft(page);
  await reloadPage(page);
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('asks for an invite code where registration needs one', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  await ownWall.admin('registration', 'invite', '--reason', 'набежали');
  const [code] = /[A-Z0-9]{5}-[A-Z0-9]{5}/.exec(await ownWall.admin('invite', '--reason', 'для Анны'))!;
  const email = newAddress();
  await openDialog(page, ownWall.url);
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await button(page, 'Продолжить').click();
  await expect(inviteField(page)).toBeFocused();
  await expect(button(page, 'Продолжить')).toBeDisabled();
  await expectAccessible(page);

  await inviteField(page).fill('ABCDE-ABCDE');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('Код приглашения не подошёл');
  await expect(inviteField(page)).toHaveValue('ABCDE-ABCDE');
  await inviteField(page).fill(` ${code.replace('-', ' ').toLowerCase()} `);
  await page.keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toBeVisible();
});

test('a removed post is visible only to its author, with the reason', async ({
  page,
  browser,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/404/);
  const { id: author } = await signInNewPerson(page, ownWall);
  const [, id] = await ownWall.seed.posts([
    { by: author, text: 'Останется' },
    { by: author, text: 'Выиграй миллион!' },
  ]);
  const [reply] = await ownWall.seed.replies(id!, [{ by: author, text: 'Жми сюда' }]);
  const stranger = await (await browser.newContext({ locale: 'ru-RU' })).newPage();
  await openPage(stranger, ownWall.url);
  await expect(articles(stranger)).toHaveCount(2);

  await ownWall.admin('remove', `${id}`, '--reason', reason);
  await ownWall.admin('remove', `${reply}`, '--reason', 'Туда же');
  await expect(articles(stranger)).toHaveCount(1);
  await stranger.goto(`${ownWall.url}/posts/${id}`);
  await expect(stranger.getByRole('main')).toContainText('Запись не найдена');

  const removed = page.getByRole('region', { name: 'Скрытое' });
  await page.goto(`${ownWall.url}/own/posts`);
  await expect(removed.getByRole('listitem')).toHaveText([/Выиграй миллион!.*Причина: Реклама в каждом ответе/]);
  await expect(articles(page)).toHaveCount(1);
  await expectAccessible(page);
  await page.goto(`${ownWall.url}/own/replies`);
  await expect(removed.getByRole('listitem')).toHaveText([/Жми сюда.*Причина: Туда же/]);
  await page.goto(`${ownWall.url}/posts/${id}`);
  await expect(removed).toContainText('Выиграй миллион!');
  await expect(page.getByRole('main')).not.toContainText('Запись не найдена');

  await ownWall.admin('restore', `${id}`, '--reason', 'ошиблись');
  await stranger.goto(ownWall.url);
  await expect(articles(stranger)).toHaveCount(2);
  await page.goto(`${ownWall.url}/own/posts`);
  await expect(articles(page)).toHaveCount(2);
  await expect(removed).toBeHidden();
  await stranger.context().close();
});
