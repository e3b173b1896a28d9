import { limits } from '#contract/limits.ts';
import { expectAccessible } from './support/accessible.ts';
import { act, openDeskAs, reason, reported, seedReported } from './support/desk.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { choice, dropNextResponse } from './support/writing.ts';

const removals = /\/moderation\/posts\/\d+\/removal$/;
const [first, second, third] = ['Выиграй миллион!', 'Все вы дураки', 'Куплю гараж, дорого'] as const;
const texts = [first, second, third];

test('Back shows the desk as it was left', async ({ page, ownWall }) => {
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  await act(page, first, 'Скрыть').click();
  await reason(page, 'Мошенничество').click();
  await reported(page, third).getByRole('link', { name: 'Обсуждение вокруг' }).click();
  await expect(page.getByRole('article').filter({ hasText: third })).toBeVisible();
  await page.goBack();
  await expect(reported(page, first)).toContainText('Скрыто: Мошенничество');
  await expect(act(page, third, 'Скрыть')).toBeVisible();
});

test('a lost response keeps the reason, and the same can be sent again', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  await dropNextResponse(page, 'POST', removals);
  await act(page, first, 'Скрыть').click();
  await reason(page, 'Мошенничество').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await expect(reason(page, 'Мошенничество')).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page);
  await choice(page, 'Повторить').click();
  // The first request was carried out.
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(reported(page, first)).not.toContainText('Жалоб:');
});

test('a card that collapses moves nothing above it, and nothing below it once it has begun above the window', async ({
  page,
  ownWall,
}) => {
  await seedReported(
    ownWall,
    Array.from({ length: 8 }, (_, index) => `Запись номер ${index + 1}\n${'и ещё строка\n'.repeat(8)}`),
  );
  await page.setViewportSize(phone);
  await openDeskAs(page, ownWall);
  const top = (text: string) => reported(page, text).evaluate((card) => Math.round(card.getBoundingClientRect().top));
  const remove = async (text: string) => {
    await act(page, text, 'Скрыть').click();
    await reason(page, 'Мошенничество').click();
    await expect(reported(page, text)).toContainText('Скрыто');
  };

  await reported(page, 'номер 2').evaluate((card) => card.scrollIntoView({ block: 'end' }));
  await reported(page, 'номер 2').evaluate(() => scrollBy(0, 450));
  const below = await top('номер 3');
  await remove('номер 2');
  expect(await top('номер 3')).toBe(below);

  await reported(page, 'номер 5').evaluate((card) => scrollBy(0, card.getBoundingClientRect().top - 120));
  const above = await top('номер 4');
  await remove('номер 5');
  expect(await top('номер 4')).toBe(above);
});

test('works by keyboard alone', async ({ page, ownWall }) => {
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  await act(page, first, 'Скрыть').focus();
  await page.keyboard.press('Enter');
  await expect(reason(page, 'Реклама или спам')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(reported(page, first)).toContainText('Скрыто: Оскорбления и\u00a0травля');
  await expect(reported(page, second)).toBeFocused();
  await page.keyboard.press('z');
  await expect(act(page, first, 'Скрыть')).toBeVisible();
});

test('the queue tells of new reports and of what others have decided, without moving what is on the screen', async ({
  page,
  ownWall,
}) => {
  const long = Array.from({ length: 6 }, (_, i) => `Запись номер ${i + 1}.\n${'и ещё строка\n'.repeat(8)}`);
  const { ids } = await seedReported(ownWall, long);
  await page.clock.install();
  await page.setViewportSize(phone);
  await openDeskAs(page, ownWall);
  await ownWall.admin('dismiss', `${ids[0]}`, '--reason', 'спор');
  await ownWall.admin('dismiss', `${ids[5]}`, '--reason', 'спор');
  await seedReported(ownWall, ['Новая запись']);
  await page.clock.runFor(limits.pollMs);
  await expect(reported(page, 'номер 6')).toContainText('Это уже сделано, возможно, другим модератором');
  await expect(act(page, 'номер 1', 'Скрыть')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/Записей с\sжалобами: 5\./);
  await expect(page.getByRole('main')).toContainText(/С\sтех пор пожаловались ещё\./);
  await page.getByRole('button', { name: 'Новые жалобы: 1' }).click();
  await expect(reported(page, 'Новая запись')).toBeVisible();
});
