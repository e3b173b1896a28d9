import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { deskPaths, openDeskAs } from './support/desk.ts';
import { expect, test } from './support/test.ts';
import { callsOf, dropNextResponse, toast } from './support/writing.ts';

const codes = (page: Page) => page.getByRole('region', { name: 'Новые приглашения' });
const link = /^http.*\/join\/\w{5}-\w{5}$/;
const note = (page: Page) => page.getByRole('textbox', { name: 'Для кого' });

test('invitations are made once, shown once and copied', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openDeskAs(page, ownWall, deskPaths.invites);
  await expect(page.getByRole('main')).toContainText('Приглашений пока нет');
  await expectAccessible(page);
  const calls = callsOf(page, 'POST', /\/moderation\/invites$/);
  await dropNextResponse(page, 'POST', /\/moderation\/invites$/);
  await note(page).fill('Для новых соседей');
  await page.getByLabel('Каждому своя ссылка').check();
  await page.getByRole('textbox', { name: 'Сколько человек' }).fill('51');
  await expect(page.getByRole('button', { name: 'Сделать приглашение' })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Сколько человек' }).fill('3');
  await page.getByRole('button', { name: 'Сделать приглашение' }).dblclick();
  await expect(page.getByRole('main')).toContainText('Нет соединения');
  await page.getByRole('button', { name: 'Сделать приглашение' }).click();
  await expect(codes(page).getByRole('listitem')).toHaveText([link, link, link]);
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
