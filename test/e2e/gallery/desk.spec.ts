import { limits } from '#contract/limits.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { act, deskPaths, openDesk, openDeskAs, queue, reason, reported, seedReported } from '../support/desk.ts';
import { takePictures } from '../support/gallery.ts';
import { phone } from '../support/screens.ts';
import { codeField, newPerson, restoreSession } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { choice, choose } from '../support/writing.ts';

const reports = '**/moderation/reports**';
const removals = '**/moderation/posts/*/removal';
const spam = 'Выиграй миллион! Переходи по ссылке https://example.org/win и забирай';

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

test('the queue of the desk: empty, on a phone, an own reason, several decisions', async ({ page, ownWall }) => {
  await openDeskAs(page, ownWall);
  await expect(heading(page, 'Жалоб нет')).toBeVisible();
  await takePictures(page, 'desk-empty');
  await expectAccessible(page);
  const { ids, author, reporters } = await seedReported(ownWall, [spam, 'Все вы здесь дураки', 'Куплю гараж, дорого']);
  const [reply] = await ownWall.seed.replies(ids[0]!, [{ by: reporters[0]!.id, text: 'Сам такой' }]);
  await ownWall.seed.report(reply!, author.id, 'abuse');
  await ownWall.seed.edit(ids[1]!, 'Все вы здесь молодцы');
  await openDesk(page, ownWall);
  await takePictures(page, 'desk-queue');
  await page.setViewportSize(phone);
  const sizes = await queue(page)
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
  for (const size of sizes) expect(size).toBeGreaterThanOrEqual(44);
  await expectAccessible(page);
  await act(page, 'Сам такой', 'Убрать со стены').click();
  await reason(page, /Другая причина/).click();
  await expect(page.getByRole('textbox', { name: 'Причина' })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Закрыть', exact: true }).click();
  await act(page, spam, 'Убрать со стены').first().click();
  await takePictures(page, 'desk-reasons');
  await reason(page, 'Реклама или спам').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await takePictures(page, 'desk-settled');
  for (const text of ['Все вы здесь', 'Куплю гараж']) {
    await act(page, text, 'Убрать со стены').click();
    await reason(page, 'Мошенничество').click();
    await expect(reported(page, text)).toHaveCount(0);
  }
  await expectAccessible(page);
});

test('the queue while it loads, fails, loses the network and gets new reports', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await seedReported(ownWall, [spam, 'Все вы здесь дураки']);
  await page.clock.install();
  await openDeskAs(page, ownWall);
  const loading = Promise.withResolvers<void>();
  await page.route(reports, async (route) => {
    await loading.promise;
    await route.abort('connectionreset');
  });
  await page.goto(ownWall.url + deskPaths.queue);
  await takePictures(page, 'desk-loading');
  loading.resolve();
  await expect(page.getByRole('main')).toContainText('Не удалось загрузить');
  await takePictures(page, 'desk-failed');
  await page.unroute(reports);
  await openDesk(page, ownWall);
  await page.route(removals, (route) => route.abort('connectionreset'));
  await act(page, spam, 'Убрать со стены').click();
  await reason(page, 'Реклама или спам').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await takePictures(page, 'desk-offline');
  await page.unroute(removals);
  await choice(page, 'Повторить').click();
  await expect(reported(page, spam)).toHaveCount(0);
  await seedReported(ownWall, ['Куплю гараж, дорого']);
  await page.clock.runFor(limits.pollMs);
  await expect(page.getByRole('button', { name: 'Новые жалобы: 1' })).toBeVisible();
  await takePictures(page, 'desk-new');
});

test('a block from the desk, its code, and the blocked person', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/403/);
  const { author } = await seedReported(ownWall, [spam]);
  const me = await openDeskAs(page, ownWall);
  await act(page, spam, 'Заблокировать').click();
  await page.getByRole('dialog').getByText('Мошенничество').click();
  await takePictures(page, 'desk-block');
  await choice(page, 'Заблокировать').click();
  await expect(codeField(page)).toBeVisible();
  await expect(codeField(page)).toBeFocused();
  await takePictures(page, 'desk-code');
  await expectAccessible(page);
  await codeField(page).fill(await mail.codeTo(me.email));
  await expect(page.getByRole('dialog')).toBeHidden();
  await openDesk(page, ownWall, `${deskPaths.people}/${author.name}`);
  await expect(page.getByRole('main')).toContainText(/Причина:\sМошенничество/);
  await takePictures(page, 'desk-person');
  await expectAccessible(page);
});

test('people, invitations, the journal', async ({ page, ownWall }) => {
  const { author, ids } = await seedReported(ownWall, [spam]);
  await ownWall.seed.person('anna_petrova');
  await openDeskAs(page, ownWall);
  await ownWall.admin('remove', `${ids[0]}`, '--reason', 'Реклама или спам');
  await ownWall.admin('block', author.name, '--reason', 'Мошенничество');
  await openDesk(page, ownWall, deskPaths.people);
  await expect(page.getByRole('list', { name: 'Люди' }).getByRole('listitem').first()).toBeVisible();
  await takePictures(page, 'desk-people');
  await expectAccessible(page);
  await openDesk(page, ownWall, `${deskPaths.people}?q=zzz`);
  await expect(heading(page, 'Никого нет')).toBeVisible();
  await expectAccessible(page);
  await openDesk(page, ownWall, deskPaths.invites);
  await page.getByRole('textbox', { name: 'Для кого' }).fill('Для новых соседей');
  await page.getByRole('textbox', { name: 'Сколько человек' }).fill('2');
  await page.getByRole('button', { name: 'Сделать приглашение' }).click();
  await expect(page.getByRole('region', { name: 'Новые приглашения' })).toBeVisible();
  await takePictures(page, 'desk-invites');
  await openDesk(page, ownWall, deskPaths.journal);
  await expect(page.getByRole('list', { name: 'Журнал' }).getByRole('listitem').nth(2)).toBeVisible();
  await takePictures(page, 'desk-journal');
  await expectAccessible(page);
});

test('the pinned post', async ({ page, ownWall }) => {
  const { id } = await newPerson(ownWall);
  const [first, second] = await ownWall.seed.posts([
    { by: id, text: 'В субботу в 12 соберёмся у фонтана: привезут новые скамейки, нужна помощь' },
    { by: id, text: 'Доброе утро' },
  ]);
  await ownWall.admin('pin', `${first}`, '--reason', 'важно');
  await openDeskAs(page, ownWall);
  await page.goto(ownWall.url);
  await choose(page, 'Доброе утро', 'Закрепить');
  await expect(page).toHaveURL(new RegExp(`${deskPaths.pin}\\?q=${second}$`));
  await expect(page.getByRole('radio', { name: 'Неделя' })).toBeChecked();
  await takePictures(page, 'desk-pin');
  await expectAccessible(page);
  await page.goto(ownWall.url);
  await expect(page.getByRole('region', { name: 'Объявление' })).toBeVisible();
  await takePictures(page, 'pin-feed');
});

test('the page of owners with a text and the findings about mail, and an invitation', async ({ page, ownWall }) => {
  const me = await newPerson(ownWall);
  await ownWall.seed.appoint(me, 'owner');
  await page.setViewportSize(phone);
  await restoreSession(page, ownWall, me, '/keep');
  await expect(page.getByRole('heading', { name: 'С чего начать' })).toBeVisible();
  await takePictures(page, 'keep-new');
  await page.getByRole('button', { name: 'Изменить: Правила' }).click();
  await page.getByRole('button', { name: 'Показать, как будет' }).click();
  await expect(page.getByRole('region', { name: 'Как будет' })).toBeVisible();
  await page.getByRole('button', { name: 'Отправить мне письмо' }).click();
  await expect(page.getByRole('main')).toContainText('почтовый сервер принял');
  await takePictures(page, 'keep-text');
  await expectAccessible(page);
  // Links in a text are as high as its lines.
  const low = await page
    .locator('main :is(a, button, input, textarea):not(p a)')
    .evaluateAll((all) =>
      all
        .filter((one) => (one.closest('label') ?? one).getBoundingClientRect().height < 44)
        .map(({ outerHTML }) => outerHTML),
    );
  expect(low).toEqual([]);
  await openDesk(page, ownWall, deskPaths.invites);
  await page.getByRole('textbox', { name: 'Для кого' }).fill('Соседям');
  await page.getByRole('button', { name: 'Сделать приглашение' }).click();
  await expect(page.getByRole('img', { name: 'QR-код ссылки' })).toBeVisible();
  await takePictures(page, 'desk-invite-link');
  await expectAccessible(page);
});
