import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { expectAccessible } from './support/accessible.ts';
import { mainButton, paths, row } from './support/account.ts';
import { openPage, quiet } from './support/app.ts';
import { holdBack } from './support/code-files.ts';
import { act, deskPaths, openDesk, openDeskAs, queue, reason, reported, seedReported } from './support/desk.ts';
import { cardOf } from './support/feed.ts';
import { phone } from './support/screens.ts';
import { askForCode, callAs, codeField, newPerson, restoreSession, wrong } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import { callsOf, choose, dropNextResponse, signInNewPerson, toast } from './support/writing.ts';

const isMissing = (page: Page) => expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();

test('nothing of the desk is loaded for others, nor says that there is one', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const scripts = callsOf(page, 'GET', /desk/);
  await signInNewPerson(page, ownWall);
  await openPage(page, ownWall.url + paths.settings);
  await expect(row(page, 'Устройства')).toBeVisible();
  await quiet(page);
  expect(scripts).toEqual([]);

  const titles: string[] = [];
  await page.exposeFunction('noteTitle', (title: string) => titles.push(title));
  await page.evaluate(() => {
    const { noteTitle } = window as unknown as { noteTitle(title: string): void };
    new MutationObserver(() => noteTitle(document.title)).observe(document, { subtree: true, childList: true });
    navigation.navigate('/moderation');
  });
  await isMissing(page);
  expect(titles.filter((title) => title.includes('одераци'))).toEqual([]);
  await openPage(page, `${ownWall.url}/no/such/page`);
  await isMissing(page);
  const same = await page.getByRole('main').textContent();
  await openPage(page, `${ownWall.url}/moderation/people/somebody`);
  await isMissing(page);
  await expect(page.getByRole('main')).toHaveText(same!);
  await expect(page).toHaveTitle('Страница не существует - Стена');
});

test('a dismissed moderator loses it with the next act', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/404/);
  await seedReported(ownWall, ['Выиграй миллион!']);
  const person = await newPerson(ownWall);
  await ownWall.seed.appoint(person);
  await openPage(page, `${ownWall.url}/moderation`);
  await isMissing(page);
  await mainButton(page, 'Войти').click();
  await askForCode(page, person.email);
  await codeField(page).fill(await mail.codeTo(person.email));
  await act(page, 'Выиграй миллион!', 'Убрать со стены').click();
  await ownWall.admin('dismiss-moderator', person.name, '--reason', 'устал');
  await reason(page, 'Мошенничество').click();
  await expect(toast(page, 'Вы больше не ведёте стену')).toBeVisible();
  await isMissing(page);
});

const block = /\/moderation\/people\/\w+\/block$/;
const dialog = (page: Page) => page.getByRole('dialog');
const main = (page: Page) => page.getByRole('main');
const open = (page: Page, name: string) => main(page).getByRole('link', { name, exact: true }).click();

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('a block asks for a fresh code, takes the posts, and is undone', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/40[03]/);
  const texts = ['Выиграй миллион!', 'Куплю гараж'];
  const { ids } = await seedReported(ownWall, texts);
  const me = await openDeskAs(page, ownWall);
  const calls = callsOf(page, 'POST', block);
  const status = async () => (await fetch(`${ownWall.url}/api/v1/posts/${ids[0]}`)).status;
  await act(page, texts[1]!, 'Заблокировать').click();
  await expect(reason(page, 'Заблокировать')).toBeDisabled();
  await dialog(page).getByLabel('Мошенничество').check();
  await dialog(page)
    .getByRole('switch', { name: /Убрать все записи/ })
    .check();
  await reason(page, 'Заблокировать').click();
  await expect(codeField(page)).toBeFocused();
  const code = await mail.codeTo(me.email);
  await codeField(page).fill(wrong(code));
  await expect(dialog(page)).toContainText('Неверный код');
  await codeField(page).fill(code);
  await expect(toast(page, 'Человек заблокирован')).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Жалоб нет' })).toBeVisible();
  expect([calls.length, await status()]).toEqual([2, 404]);
  await page.getByRole('button', { name: 'Отменить решение' }).click();
  await expect(toast(page, 'Решение отменено')).toBeVisible();
  expect(await status()).toBe(200);
});

test('a choice survives the way back, and a code a lost response', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/, /40[03]/);
  await ownWall.seed.person('neighbour');
  const me = await openDeskAs(page, ownWall, `${deskPaths.people}/neighbour`);
  const codes = callsOf(page, 'POST', /\/moderation\/confirmation$/);
  await open(page, 'Заблокировать');
  await dialog(page).getByLabel('Мошенничество').check();
  await reason(page, 'Заблокировать').click();
  await expect(codeField(page)).toBeFocused();
  await reason(page, 'Вернуться').click();
  await expect(dialog(page).getByLabel('Мошенничество')).toBeChecked();
  await dialog(page).getByLabel('На 7 дней').check();
  await reason(page, 'Заблокировать').click();
  await expect(codeField(page)).toBeFocused();
  // The second «Заблокировать» uses the code that was sent before and requests no other.
  const code = await mail.codeTo(me.email);
  expect(codes).toHaveLength(1);
  await dropNextResponse(page, 'POST', block);
  await codeField(page).fill(code);
  await expect(dialog(page)).toContainText('Сервер не отвечает');
  await reason(page, 'Подтвердить').click();
  await expect(main(page)).toContainText(/Причина: Мошенничество.* · до /);
  await openDesk(page, ownWall, deskPaths.journal);
  await expect(main(page)).toContainText(/Блокировка: neighbour.* · до /);
});

test('a warning is read once, anywhere, also when the response is lost', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const person = await newPerson(ownWall);
  const moderator = await newPerson(ownWall);
  await ownWall.seed.appoint(moderator);
  await callAs(ownWall, moderator.id, 'POST', `/moderation/people/${person.name}/warning`, {
    reason: 'Оскорбления и травля',
  });
  await restoreSession(page, ownWall, person, '/discussed');
  await expect(page.getByRole('dialog', { name: 'Предупреждение' })).toContainText('Оскорбления и травля');
  await dropNextResponse(page, 'DELETE', /\/warning$/);
  await reason(page, 'Понятно').click();
  await expect(dialog(page)).toContainText('Сервер не отвечает');
  await reason(page, 'Понятно').click();
  await expect(dialog(page)).toHaveCount(0);
  await openPage(page, `${ownWall.url}/settings`);
  await expect(page.getByRole('heading', { name: 'Настройки' })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
});

const codes = (page: Page) => page.getByRole('region', { name: 'Ссылки приглашений' });
const link = /^http.*\/join\/\w{5}-\w{5}$/;
const note = (page: Page) => page.getByRole('textbox', { name: 'Пометка для себя: кому ссылка' });

test('invitations are made once and copied', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openDeskAs(page, ownWall, deskPaths.invites);
  await expect(page.getByRole('main')).toContainText('Приглашений пока нет');
  const calls = callsOf(page, 'POST', /\/moderation\/invites$/);
  await dropNextResponse(page, 'POST', /\/moderation\/invites$/);
  await note(page).fill('Для новых соседей');
  await page.getByLabel('Каждому своя ссылка').check();
  await page.getByRole('textbox', { name: 'Сколько человек' }).fill('51');
  await expect(page.getByRole('button', { name: 'Сделать приглашение' })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Сколько человек' }).fill('3');
  await page.getByRole('button', { name: 'Сделать приглашение' }).dblclick();
  await expect(page.getByRole('main')).toContainText('Сервер не отвечает');
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
});

const removals = /\/moderation\/posts\/\d+\/removal$/;
const [first, second, third] = ['Выиграй миллион!', 'Все вы дураки', 'Куплю гараж, дорого'] as const;
const texts = [first, second, third];
const waiting = (page: Page, count: number) =>
  page.getByRole('link', { name: `записей с жалобами: ${count}` }).filter({ visible: true });
const undo = (page: Page) => page.getByRole('button', { name: 'Отменить решение' });

async function remove(page: Page, text: string): Promise<void> {
  await act(page, text, 'Убрать со стены').click();
  await reason(page, 'Реклама или спам').click();
}

test('a report is settled in three taps, once, and the focus goes on', async ({ page, ownWall }) => {
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  await expect(waiting(page, 3)).toBeVisible();
  await remove(page, first);
  await expect(toast(page, 'Убрано со стены')).toBeVisible();
  await expect(reported(page, first)).toHaveCount(0);
  await expect(reported(page, second)).toBeFocused();
  await expect(waiting(page, 2)).toBeVisible();

  const calls = callsOf(page, 'POST', /\/dismissal$/);
  const sent = await holdBack(page, '**/dismissal');
  await act(page, second, 'Оставить').click();
  const harmless = reason(page, 'Нарушения нет');
  await harmless.dblclick();
  await expect(harmless).toHaveAttribute('aria-disabled', 'true');
  sent.resolve();
  await expect(toast(page, 'Оставлено')).toBeVisible();
  expect(calls).toHaveLength(1);
  await expect(page.getByRole('main')).toContainText('Записей с жалобами: 1.');
  await expect(page.getByRole('main')).toContainText('Рассмотрено: 2');

  // After the last one there is no card to go to.
  await remove(page, third);
  await expect(page.getByRole('heading', { name: 'Жалоб нет' })).toBeFocused();
  await expect(page.getByRole('link', { name: /записей с жалобами/ })).toHaveCount(0);
});

test('what was settled is off the wall, and its message takes it back', async ({ page, context, ownWall }) => {
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  const reader = await context.browser()!.newPage();
  await openPage(reader, ownWall.url);
  await expect(cardOf(reader, first)).toBeVisible();
  // Runs callbacks of animation frames in reverse order, so the card may get the focus while the dialog is still closing.
  await page.evaluate(() => {
    const frames: FrameRequestCallback[] = [];
    const request = requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (run) => {
      frames.push(run);
      return request((time) => frames.pop()?.(time));
    };
  });
  await remove(page, first);
  await expect(cardOf(reader, first)).toHaveCount(0);
  await reader.close();
  await undo(page).click();
  await expect(toast(page, 'Решение отменено')).toBeVisible();
  await expect(reported(page, first)).toBeFocused();
});

test('a late response and an act of another take their cards off the list', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const { ids } = await seedReported(ownWall, [...texts, 'Четвёртая', 'Пятая']);
  await openDeskAs(page, ownWall);
  const held = Promise.withResolvers<void>();
  await page.route(
    removals,
    async (route) => {
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await remove(page, first);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await act(page, second, 'Убрать со стены').click();
  held.resolve();
  await expect(page.getByRole('dialog')).toContainText(second);
  await expect(reason(page, 'Реклама или спам')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(reported(page, first)).toHaveCount(0);
  await expect(act(page, second, 'Убрать со стены')).toBeVisible();

  await ownWall.seed.act('remove', ids[1]!, 'спам');
  await ownWall.seed.act('dismiss', ids[3]!, 'спор');
  await remove(page, second);
  await expect(toast(page, 'Это уже сделано, возможно, другим модератором')).toBeVisible();
  await expect(reported(page, second)).toHaveCount(0);
  await expect(reported(page, 'Четвёртая')).toHaveCount(0);
  await ownWall.seed.remove(ids[2]!);
  await remove(page, third);
  await expect(toast(page, 'Сообщение не найдено')).toBeVisible();
  await expect(reported(page, third)).toContainText('Автор удалил запись');
  await expect(act(page, third, 'Убрать со стены')).toHaveCount(0);
  await expect(reported(page, third)).toBeFocused();
});

test('new reports are counted at the end of the list until they are loaded', async ({ page, ownWall }) => {
  await page.clock.install();
  await openDeskAs(page, ownWall);
  await expect(page.getByRole('heading', { name: 'Жалоб нет' })).toBeVisible();
  await seedReported(ownWall, [first]);
  await page.getByRole('link', { name: 'Обновить' }).click();
  await expect(reported(page, first)).toBeVisible();
  await seedReported(ownWall, ['Новая запись']);
  const said = async () => {
    await page.clock.fastForward(limits.pollMs);
    return page.getByRole('main').textContent();
  };
  await expect.poll(said).toContain('С тех пор пожаловались ещё.');
  await expect(queue(page).getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: 'Новые жалобы: 1' }).click();
  await expect(reported(page, 'Новая запись')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Это все жалобы.');
});

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

test('after a lost response the same can be sent again', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await seedReported(ownWall, texts);
  await openDeskAs(page, ownWall);
  await dropNextResponse(page, 'POST', removals);
  await act(page, first, 'Убрать со стены').click();
  await reason(page, 'Мошенничество').click();
  await expect(page.getByRole('dialog')).toContainText('Сервер не отвечает');
  await expectAccessible(page);
  await reason(page, 'Мошенничество').click();
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
  await expect.poll(() => top('номер 4')).toBe(above);

  // Only the buttons of this card are in the window.
  await reported(page, 'номер 2').evaluate((card) => scrollBy(0, card.getBoundingClientRect().bottom - 150));
  await remove('номер 2');
  await expect(reported(page, 'номер 3')).toBeFocused();
  const covered = await page.getByRole('banner').evaluate((bar) => bar.getBoundingClientRect().bottom);
  await expect.poll(() => top('номер 3')).toBeGreaterThanOrEqual(covered);
});

test('a moderator removes a post in the feed and takes it back, or at its page', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts(['Спор', 'Реклама'].map((text) => ({ by, text })));
  const me = await newPerson(ownWall);
  await ownWall.seed.appoint(me);
  await restoreSession(page, ownWall, me);
  await choose(page, 'Реклама', 'Убрать со стены…');
  await reason(page, 'Реклама или спам').click();
  await expect(toast(page, 'Убрано со стены')).toBeVisible();
  await expectTexts(page, ['Спор']);
  await undo(page).click();
  await expectTexts(page, ['Реклама', 'Спор']);

  await cardOf(page, 'Реклама').locator('time').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await choose(page, 'Реклама', 'Убрать со стены…');
  await reason(page, 'Мошенничество').click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expectTexts(page, ['Спор']);
});
