import {
  bell,
  heads,
  signInWithPost,
  expectUnread,
  marked,
  openNotifications,
  pill,
  readNotifications,
} from './support/notifications.ts';
import { expectAccessible } from './support/accessible.ts';
import { mutesLoaded, openPage } from './support/app.ts';
import { askForCode, codeField, newPerson, restoreSession, signInButton, signOut } from './support/sign-in.ts';
import { articles, cardOf, scrollToPost } from './support/feed.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import { expectTexts, heading, switcher } from './support/views.ts';
import { choice, signInNewPerson, textField, toast } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('a notification appears on every device of its recipient and is read on all', async ({
  page,
  browser,
  ownWall,
}) => {
  test.setTimeout(60_000);
  const { me, post } = await signInWithPost(page, ownWall);
  await page.goto(ownWall.url);
  const [phoneContext, borisContext] = [await browser.newContext(), await browser.newContext({ locale: 'ru-RU' })];
  const phone = await phoneContext.newPage();
  await restoreSession(phone, ownWall, me);
  for (const device of [page, phone]) await expectUnread(device, 0);

  const other = await borisContext.newPage();
  const { name } = await signInNewPerson(other, ownWall);
  await other.goto(`${ownWall.url}/posts/${post}`);
  await cardOf(other, 'каток').getByRole('button', { name: 'Ответить' }).click();
  await textField(other).fill('Я иду!');
  await choice(other, 'Опубликовать').click();
  await expect(toast(other, 'Опубликовано')).toBeVisible();
  for (const device of [page, phone]) await expectUnread(device, 1);
  await expectUnread(other, 0);
  await borisContext.close();

  await bell(page).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${ownWall.url}/notifications`);
  await expect(page).toHaveTitle('Уведомления - Стена');
  await expect(articles(page)).toContainText([name]);
  for (const device of [page, phone]) await expectUnread(device, 0);
  await expect(marked(page)).toHaveCount(1);
  await phoneContext.close();

  await watchShift(page);
  await page.reload();
  await expect(articles(page)).toHaveCount(1);
  await expectUnread(page, 0);
  await expect(marked(page)).toHaveCount(0);
  await expectNoShift(page);
});

test('notifications are newest first, quote the person’s post, and exclude own replies', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const { me, boris, post, reply } = await signInWithPost(page, ownWall);
  const [gone] = await seed.posts([{ by: me.id, text: 'Скоро удалю' }]);
  await seed.replies(gone!, [{ by: boris, text: 'Ответ в пустоту' }]);
  await seed.remove(gone!);
  const [his] = await reply('Я иду!');
  const [mine] = await seed.replies(his!, [{ by: me.id, text: 'Тогда в десять' }]);
  await seed.replies(mine!, [{ by: boris, text: 'Договорились' }]);
  await seed.replies(post, [{ by: me.id, text: 'Отвечаю себе' }]);
  await expectUnread(page, 3);

  await bell(page).click();
  await expectTexts(page, ['Договорились', 'Я иду!', 'Ответ в пустоту']);
  await expect(heads(page)).toHaveText([
    /^2\sновых\sответа\s·\sв\sвашем\sобсуждении\s«Кто\sидёт\sна\sкаток\?»$/,
    /^1\sновый\sответ\sЗапись\sудалена$/,
  ]);
  await expect(bell(page)).toHaveAttribute('aria-current', 'page');
  await expect(heading(page)).toHaveText('Уведомления');
  await expect(switcher(page)).toHaveCount(0);
  await seed.edit(his!, 'Я приду попозже');
  await expect(cardOf(page, 'Я приду попозже')).toContainText('изменено');

  await cardOf(page, 'Договорились').getByRole('link', { name: 'Тогда в десять' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${mine}`);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expectTexts(page, ['Договорились', 'Я приду попозже', 'Ответ в пустоту']);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
});

test('new notifications wait behind a pill without a layout shift', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await watchShift(page);
  await openNotifications(page, ownWall);
  await expect(marked(page)).toHaveText(/иду!/);
  await expectUnread(page, 0);
  const before = await articles(page).first().boundingBox();
  await reply('И я!', 'И мы!');
  await expectUnread(page, 2);
  await expect(pill(page)).toHaveText('Показать новые: 2');
  expect(await articles(page).first().boundingBox()).toEqual(before);
  await expectNoShift(page);
  await pill(page).click();
  await expect(articles(page).first()).toBeFocused();
  await expect(articles(page).first()).toHaveAccessibleName(/^Новый ответ boris_petrov$/);
  await expectTexts(page, ['И мы!', 'И я!', 'Я иду!']);
  await expectUnread(page, 0);
});

test('unread notifications are marked on every page of the list, and no others', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply(...Array.from({ length: 14 }, (_, index) => `Прежний ${14 - index}`));
  await readNotifications(page, ownWall);
  await page.goto(ownWall.url);
  await reply(...Array.from({ length: 120 }, (_, index) => `Новый ${120 - index}`));
  await expectUnread(page, 120);
  await openNotifications(page, ownWall);
  await scrollToPost(page, 122);
  const cardSaying = (text: string) => articles(page).filter({ has: page.getByText(text, { exact: true }) });
  await expect(cardSaying('Новый 120')).toContainText('Новый ответ');
  await expect(cardSaying('Прежний 1')).not.toContainText('Новый ответ');
});

test('without notifications the page explains what will appear, after a failure too', async ({
  page,
  wall,
  pageErrors,
}) => {
  pageErrors.expect(/503/);
  await signInNewPerson(page, wall);
  const calls = '**/api/v1/users/current/notifications?*';
  await page.route(calls, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await bell(page).click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('heading', { name: 'Уведомлений пока нет' })).toBeVisible();
  await expectAccessible(page);
});

test('reports when its code fails to load and loads it on retry', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const code = '**/assets/signed-in-*.js';
  await page.route(code, (route) => route.abort('connectionreset'));
  const failed = page.waitForEvent('requestfailed');
  await signInNewPerson(page, wall);
  await failed;
  await bell(page).click();
  await expect(page.getByRole('main')).toContainText('Не удалось загрузить');
  await page.unroute(code);
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('heading', { name: 'Уведомлений пока нет' })).toBeVisible();
});

test('a visitor reaches the page by signing in', async ({ page, wall, mail }) => {
  const { email } = await newPerson(wall);
  await page.goto('/notifications');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
  await main.getByRole('button', { name: 'Войти' }).click();
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(main.getByRole('heading', { name: 'Уведомлений пока нет' })).toBeVisible();
  await expect(page).toHaveURL('/notifications');
});

test('the bell follows the session in every tab', async ({ page, context, ownWall }) => {
  const { boris, reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await expectUnread(page, 1);
  const other = await context.newPage();
  const mutes = mutesLoaded(other);
  await openPage(other, ownWall.url);
  await mutes;
  await signOut(other);
  await expect(signInButton(page)).toBeVisible();
  await expectUnread(page, 0);
  const vera = await newPerson(ownWall);
  await restoreSession(other, ownWall, vera);
  await expectUnread(page, 0);
  const [hers] = await ownWall.seed.posts([{ by: vera.id, text: 'Запись Веры' }]);
  await ownWall.seed.replies(hers!, [
    { by: boris, text: 'Раз' },
    { by: boris, text: 'Два' },
  ]);
  await expectUnread(page, 2);
});

test('the page is accessible with new notifications', async ({ page, ownWall }) => {
  test.setTimeout(60_000);
  const { reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!', 'И я!');
  await openNotifications(page, ownWall);
  await expect(marked(page)).toHaveCount(2);
  await reply('И мы!');
  await expect(pill(page)).toBeVisible();
  await expectUnread(page, 1);
  await expectAccessible(page);
});
