import { expectAccessible } from './support/accessible.ts';
import { act, openDesk, openDeskAs, queue, reason, reported, seedReported } from './support/desk.ts';
import { newPerson, restoreSession } from './support/sign-in.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choice, dropNextResponse, toast } from './support/writing.ts';

const removals = /\/moderation\/posts\/\d+\/removal$/;
const [first, second, third] = ['Выиграй миллион!', 'Все вы дураки', 'Куплю гараж, дорого'] as const;
const texts = [first, second, third];

test('the queue shows what was reported, by whom and why', async ({ page, ownWall }) => {
  const { author, reporters, ids } = await seedReported(ownWall, texts);
  const [reply] = await ownWall.seed.replies(ids[0]!, [{ by: reporters[0]!.id, text: 'Жми сюда' }]);
  await ownWall.seed.report(reply!, author.id);
  await ownWall.seed.edit(ids[1]!, 'Все вы молодцы');
  await openDeskAs(page, ownWall);

  await expect(page).toHaveTitle('Модерация - Стена');
  await expect(queue(page).getByRole('article')).toHaveCount(4);
  const card = reported(page, first).first();
  await expect(card).toContainText(author.name);
  await expect(card).toContainText('Жалоб: 2');
  await expect(card).toContainText(/Спам\s·\s/);
  for (const { name } of reporters) await expect(card).toContainText(name);

  await expect(reported(page, second)).toContainText(/Текст с\sтех пор изменён/);
  await expect(reported(page, second)).toContainText('Все вы молодцы');
  await expect(reported(page, 'Жми сюда').getByRole('link', { name: first })).toBeVisible();
  await expectAccessible(page);

  await reported(page, third).getByRole('link', { name: 'Обсуждение вокруг' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${ids[2]}`);
});

test('a report is settled in three taps on a phone', async ({ page, ownWall, browserName: _ }) => {
  await seedReported(ownWall, texts);
  await page.setViewportSize(phone);
  await openDeskAs(page, ownWall);
  await page.evaluate(() => {
    window.taps = 0;
    addEventListener('click', () => (window.taps += 1), true);
  });
  const sizes = await queue(page)
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
  for (const size of sizes) expect(size).toBeGreaterThanOrEqual(44);

  await act(page, first, 'Скрыть').click();
  await reason(page, 'Реклама или спам').click();
  await expect(toast(page, 'Скрыто: Реклама или спам')).toBeVisible();
  expect(await page.evaluate(() => window.taps)).toBeLessThanOrEqual(3);
  await expect(reported(page, first)).toContainText('Скрыто: Реклама или спам');
  await expect(act(page, first, 'Скрыть')).toHaveCount(0);
  // The next card that needs a decision.
  await expect(reported(page, second)).toBeFocused();

  await page.evaluate(() => (window.taps = 0));
  await act(page, second, 'Закрыть жалобы').click();
  await reason(page, 'Нарушения нет').click();
  await expect(reported(page, second)).toContainText('Жалобы закрыты: Нарушения нет');
  expect(await page.evaluate(() => window.taps)).toBeLessThanOrEqual(3);
  await expect(page.getByRole('main')).toContainText(/Записей с\sжалобами: 1\./);
});

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

test('a double tap sends one request', async ({ page, ownWall }) => {
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  const calls = callsOf(page, 'POST', removals);
  await page.route(removals, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.fallback();
  });
  await act(page, first, 'Скрыть').click();
  await reason(page, 'Мошенничество').dblclick();
  await expect(reported(page, first)).toContainText('Скрыто');
  expect(calls).toHaveLength(1);
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

test('an own reason is sent as it was typed', async ({ page, ownWall }) => {
  await seedReported(ownWall, texts);
  const { name } = await openDeskAs(page, ownWall);
  await act(page, first, 'Скрыть').click();
  await reason(page, /Другая причина/).click();
  const field = page.getByRole('textbox', { name: 'Причина' });
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.fill('Пятый раз за день');
  await choice(page, 'Скрыть').click();
  await expect(reported(page, first)).toContainText(/Скрыто: Пятый раз за\sдень/);
  expect(await ownWall.admin('log')).toContain(name);
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

test('an empty queue says what that means, and can be looked at again', async ({ page, ownWall }) => {
  await openDeskAs(page, ownWall);
  await expect(page.getByRole('heading', { name: 'Жалоб нет' })).toBeVisible();
  await expectAccessible(page);
  await seedReported(ownWall, [first]);
  await page.getByRole('button', { name: 'Обновить' }).click();
  await expect(reported(page, first)).toBeVisible();
});

test('a queue that fails to load can be loaded again', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await seedReported(ownWall, texts);
  const person = await newPerson(ownWall);
  await ownWall.seed.appoint(person);
  await restoreSession(page, ownWall, person);
  const path = '**/moderation/reports**';
  await page.route(path, (route) => route.abort('connectionreset'));
  await page.goto(`${ownWall.url}/moderation`);
  await expect(page.getByRole('main')).toContainText('Не удалось загрузить');
  await page.unroute(path);
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(reported(page, first)).toBeVisible();
});

test('the queue goes on by pages', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await seedReported(
    ownWall,
    Array.from({ length: 13 }, (_, index) => `Запись номер ${index + 1}.`),
  );
  await openDeskAs(page, ownWall);
  await expect(queue(page).getByRole('article')).toHaveCount(10);
  const path = '**/moderation/reports?*';
  await page.route(path, (route) => route.abort('connectionreset'));
  await page.getByRole('button', { name: 'Показать ещё' }).click();
  await expect(page.getByRole('main')).toContainText('Нет соединения');
  await page.unroute(path);
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(queue(page).getByRole('article')).toHaveCount(13);
  await openDesk(page, ownWall);
});

declare global {
  interface Window {
    taps: number;
  }
}

test('an act whose dialog was closed before the response settles its card', async ({ page, ownWall }) => {
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  const answer = Promise.withResolvers<void>();
  await page.route(removals, async (route) => {
    const response = await route.fetch();
    await answer.promise;
    await route.fulfill({ response });
  });
  await act(page, first, 'Скрыть').click();
  await reason(page, 'Реклама или спам').click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await act(page, second, 'Скрыть').click();
  answer.resolve();
  await expect(page.getByRole('dialog')).toContainText(second);
  await expect(reason(page, 'Реклама или спам')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(reported(page, first)).toContainText('Скрыто: Реклама или спам');
  await expect(act(page, second, 'Скрыть')).toBeVisible();
});
