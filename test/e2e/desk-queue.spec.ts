import { expectAccessible } from './support/accessible.ts';
import { act, openDeskAs, reason, reported, seedReported } from './support/desk.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { choice, dropNextResponse } from './support/writing.ts';

const removals = /\/moderation\/posts\/\d+\/removal$/;
const [first, second, third] = ['Выиграй миллион!', 'Все вы дураки', 'Куплю гараж, дорого'] as const;
const texts = [first, second, third];

test('works by keyboard alone, and Back shows the desk as it was left', async ({ page, ownWall }) => {
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  await act(page, first, 'Убрать со стены').focus();
  await page.keyboard.press('Enter');
  await expect(reason(page, 'Реклама или спам')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(reported(page, first)).toHaveCount(0);
  await expect(reported(page, second)).toBeFocused();
  await page.keyboard.press('z');
  await expect(reported(page, first)).toBeFocused();

  await act(page, first, 'Убрать со стены').click();
  await reason(page, 'Мошенничество').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await reported(page, third).getByRole('link', { name: 'Обсуждение вокруг' }).click();
  await expect(page.getByRole('article').filter({ hasText: third })).toBeVisible();
  await page.goBack();
  await expect(act(page, third, 'Убрать со стены')).toBeVisible();
  await expect(reported(page, first)).toHaveCount(0);
});

test('a lost response keeps the reason, and the same can be sent again', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  await dropNextResponse(page, 'POST', removals);
  await act(page, first, 'Убрать со стены').click();
  await reason(page, 'Мошенничество').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await expect(reason(page, 'Мошенничество')).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page);
  await choice(page, 'Повторить').click();
  // The first request was carried out.
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(reported(page, first)).toHaveCount(0);
});

test('a decision moves nothing above its card and shows the next one', async ({ page, ownWall }) => {
  await seedReported(
    ownWall,
    Array.from({ length: 8 }, (_, index) => `Запись номер ${index + 1}\n${'и ещё строка\n'.repeat(8)}`),
  );
  await page.setViewportSize(phone);
  await openDeskAs(page, ownWall);
  const top = (text: string) => reported(page, text).evaluate((card) => Math.round(card.getBoundingClientRect().top));
  const remove = async (text: string) => {
    await act(page, text, 'Убрать со стены').click();
    await reason(page, 'Мошенничество').click();
    await expect(reported(page, text)).toHaveCount(0);
  };

  await reported(page, 'номер 5').evaluate((card) => scrollBy(0, card.getBoundingClientRect().top - 200));
  const above = await top('номер 4');
  await remove('номер 5');
  await expect(reported(page, 'номер 6')).toBeFocused();
  expect(await top('номер 4')).toBe(above);

  // Its buttons are all that is seen of the card.
  await reported(page, 'номер 2').evaluate((card) => scrollBy(0, card.getBoundingClientRect().bottom - 150));
  await remove('номер 2');
  await expect(reported(page, 'номер 3')).toBeFocused();
  const header = page.locator('header').first();
  expect(await top('номер 3')).toBeGreaterThanOrEqual(
    await header.evaluate((bar) => bar.getBoundingClientRect().bottom),
  );
});
