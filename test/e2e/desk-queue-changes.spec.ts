import { limits } from '#contract/limits.ts';
import { expectAccessible } from './support/accessible.ts';
import { openPage } from './support/app.ts';
import { act, openDeskAs, reason, reported, seedReported } from './support/desk.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { toast } from './support/writing.ts';

const [first, second, third] = ['Выиграй миллион!', 'Все вы дураки', 'Куплю гараж, дорого'] as const;
const texts = [first, second, third];

test('what was settled is off the wall, and the message takes it back', async ({ page, browser, ownWall }) => {
  const { ids } = await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  const reader = await browser.newPage();
  await openPage(reader, ownWall.url);
  await act(page, first, 'Скрыть').click();
  await reason(page, 'Реклама или спам').click();
  await expect(reader.getByRole('article').filter({ hasText: first })).toHaveCount(0);

  await page.getByRole('button', { name: 'Отменить' }).click();
  await expect(toast(page, 'Отменено')).toBeVisible();
  await expect(act(page, first, 'Скрыть')).toBeVisible();
  await expect(reported(page, first)).toBeFocused();
  await openPage(reader, `${ownWall.url}/posts/${ids[0]}`);
  await expect(reader.getByRole('article').filter({ hasText: first })).toBeVisible();
  await reader.close();

  await page.reload();
  await expect(act(page, first, 'Скрыть')).toBeVisible();
});

test('after several decisions the message is about the last one, and each can be taken back where it stands', async ({
  page,
  ownWall,
}) => {
  const { ids } = await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  const reasons = ['Реклама или спам', 'Мошенничество', 'Материалы 18+'];
  for (const [index, text] of texts.entries()) {
    await act(page, text, 'Скрыть').click();
    await reason(page, reasons[index]!).click();
    await expect(reported(page, text)).toContainText('Скрыто');
  }
  await expect(toast(page, 'Скрыто: Материалы 18+')).toBeVisible();
  await expectAccessible(page);
  await act(page, first, 'Вернуть').click();
  await expect(act(page, first, 'Скрыть')).toBeVisible();
  await expect(reported(page, first)).toBeFocused();
  await expect(reported(page, third)).toContainText('Скрыто');
  expect((await page.request.get(`${ownWall.url}/api/v1/posts/${ids[0]}`)).status()).toBe(200);
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

test('what another moderator has settled meanwhile says so', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const { ids } = await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  await ownWall.admin('remove', `${ids[0]}`, '--reason', 'спам');
  await act(page, first, 'Скрыть').click();
  await reason(page, 'Реклама или спам').click();
  await expect(toast(page, 'Это уже сделано, возможно, другим модератором')).toBeVisible();
  await expect(reported(page, first)).toContainText('Это уже сделано, возможно, другим модератором');

  await ownWall.seed.remove(ids[1]!);
  await act(page, second, 'Скрыть').click();
  await reason(page, 'Реклама или спам').click();
  await expect(reported(page, second)).toContainText('Записи больше нет');
});
