import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { act, deskPaths, openDesk, openDeskAs, reason, reported, seedReported } from './support/desk.ts';
import { newPerson } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choice, dropNextResponse, toast } from './support/writing.ts';

const journal = (page: Page) => page.getByRole('list', { name: 'Журнал' }).getByRole('listitem');
const codes = (page: Page) => page.getByRole('region', { name: 'Новые коды' });
const note = (page: Page) => page.getByRole('textbox', { name: 'Для кого' });

test('the journal says who did what and why, and takes it back', async ({ page, ownWall }) => {
  const { author } = await seedReported(ownWall, ['Выиграй миллион!']);
  const me = await openDeskAs(page, ownWall);
  await act(page, 'Выиграй миллион!', 'Закрыть жалобы').click();
  await reason(page, 'Спор, а не нарушение').click();
  await expect(reported(page, 'Выиграй миллион!')).toContainText('Жалобы закрыты');
  await ownWall.admin('block', author.name, '--reason', 'спам');

  await openDesk(page, ownWall, deskPaths.journal);
  await expect(journal(page)).toHaveText([
    new RegExp(`Блокировка: ${author.name}.*спам`),
    new RegExp(`Жалобы закрыты: №\\s1.*Выиграй миллион!.*Спор.*${me.name}`),
    new RegExp(`Назначен модератор: ${me.name}`),
  ]);
  await expect(journal(page).nth(2).getByRole('button')).toHaveCount(0);
  await expectAccessible(page);

  await journal(page).nth(1).getByRole('button', { name: 'Отменить' }).click();
  await reason(page, 'Решили иначе').click();
  await expect(toast(page, 'Отменено')).toBeVisible();
  await expect(journal(page).nth(1).getByRole('button')).toHaveCount(0);
  await expect(journal(page).nth(1)).toBeFocused();
  await openDesk(page, ownWall);
  await expect(act(page, 'Выиграй миллион!', 'Скрыть')).toBeVisible();
});

test('an act that was taken back elsewhere says so', async ({ page, ownWall }) => {
  const { ids } = await seedReported(ownWall, ['Выиграй миллион!']);
  await ownWall.admin('remove', `${ids[0]}`, '--reason', 'спам');
  await openDeskAs(page, ownWall, deskPaths.journal);
  await ownWall.admin('restore', `${ids[0]}`, '--reason', 'ошиблись');
  await journal(page).nth(1).getByRole('button', { name: 'Отменить' }).click();
  await reason(page, 'Ошибка').click();
  await expect(toast(page, 'Это уже сделано, возможно, другим модератором')).toBeVisible();
});

test('invitations are made once, shown once and copied', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openDeskAs(page, ownWall, deskPaths.invites);
  await expect(page.getByRole('main')).toContainText('Приглашений пока нет');
  await expectAccessible(page);
  const calls = callsOf(page, 'POST', /\/moderation\/invites$/);
  await dropNextResponse(page, 'POST', /\/moderation\/invites$/);
  await note(page).fill('Для новых соседей');
  await page.getByRole('textbox', { name: 'Сколько кодов' }).fill('51');
  await expect(page.getByRole('button', { name: 'Выдать коды' })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Сколько кодов' }).fill('3');
  await page.getByRole('button', { name: 'Выдать коды' }).dblclick();
  await expect(page.getByRole('main')).toContainText('Нет соединения');
  await page.getByRole('button', { name: 'Выдать коды' }).click();
  await expect(codes(page).getByRole('listitem')).toHaveText([/^\w{5}-\w{5}$/, /^\w{5}-\w{5}$/, /^\w{5}-\w{5}$/]);
  expect(calls).toHaveLength(2);
  await expect(codes(page).getByRole('button', { name: 'Скопировать все' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Скопировано')).toBeVisible();
  const shown = await codes(page).getByRole('listitem').allTextContents();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.join('\n'));
  // The repeated request has made no others.
  await expect(page.getByRole('list', { name: 'Приглашения' }).getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('list', { name: 'Приглашения' }).getByRole('listitem')).toHaveCount(3);
  await expect(codes(page)).toHaveCount(0);
});

test('new codes take the focus once', async ({ page, ownWall }) => {
  await openDeskAs(page, ownWall, deskPaths.invites);
  const release = Promise.withResolvers<void>();
  await page.route('**/moderation/invites*', async (route) => {
    if (route.request().method() === 'GET') await release.promise;
    await route.continue();
  });
  await note(page).fill('Для соседа');
  await page.getByRole('button', { name: 'Выдать коды' }).click();
  await expect(codes(page).getByRole('button', { name: 'Скопировать код' })).toBeFocused();
  await note(page).focus();
  release.resolve();
  await expect(page.getByRole('list', { name: 'Приглашения' }).getByRole('listitem')).toHaveCount(1);
  await expect(note(page)).toBeFocused();
});

test('a moderator pins a post from its menu and unpins it', async ({ page, ownWall }) => {
  const author = await newPerson(ownWall);
  await ownWall.seed.posts([{ by: author.id, text: 'Завтра стена не работает' }]);
  await openDeskAs(page, ownWall, deskPaths.pin);
  await expect(page.getByRole('heading', { name: 'Объявления нет' })).toBeVisible();
  await page.goto(ownWall.url);
  await page.getByRole('article').getByRole('button', { name: 'Действия с записью' }).click();
  await page.getByRole('menuitem', { name: 'Закрепить' }).click();
  await expect(page.getByRole('radio', { name: 'Неделя' })).toBeChecked();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('button', { name: 'Закрепить' }).click();
  await expect(page.getByRole('heading', { name: 'Сейчас закреплено' })).toBeVisible();
  await page.goto(ownWall.url);
  await expect(page.getByRole('region', { name: 'Объявление' })).toContainText('Завтра стена не\u00a0работает');
  await openDesk(page, ownWall, deskPaths.pin);
  await page.getByRole('button', { name: 'Открепить' }).click();
  await expect(page.getByRole('heading', { name: 'Объявления нет' })).toBeVisible();
  await page.goto(ownWall.url);
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Объявление' })).toHaveCount(0);
  expect(await choice(page, 'Закрепить').count()).toBe(0);
});
