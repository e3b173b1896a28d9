import { limits } from '#contract/limits.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { openPage } from '../support/app.ts';
import { act, deskPaths, openDesk, openDeskAs, queue, reason, reported, seedReported } from '../support/desk.ts';
import { onlyPictures, takeAccessible, takePictures } from '../support/gallery.ts';
import { phone } from '../support/screens.ts';
import { codeField, newPerson, removeCookies, restoreSession } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import type { Wall } from '../support/wall.ts';
import { choice, choose } from '../support/writing.ts';

const removals = '**/moderation/posts/*/removal';
const spam = 'Выиграй миллион! Переходи по ссылке https://example.org/win и забирай';

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

test('the queue of the desk: empty, on a phone, an own reason, a decision', async ({ page, ownWall }) => {
  await openDeskAs(page, ownWall);
  await takeAccessible(page, 'desk-empty', heading(page, 'Жалоб нет'));
  const { ids, author, reporters } = await seedReported(ownWall, [spam, 'Все вы здесь дураки', 'Куплю гараж, дорого']);
  const [reply] = await ownWall.seed.replies(ids[0]!, [{ by: reporters[0]!.id, text: 'Сам такой' }]);
  await ownWall.seed.report(reply!, author.id, 'abuse');
  await ownWall.seed.edit(ids[1]!, 'Все вы здесь молодцы');
  await openDesk(page, ownWall);
  await takePictures(page, 'desk-queue');
  await page.setViewportSize(phone);
  const sizes = await queue(page)
    .locator('[data-layer]')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
  for (const size of sizes) expect(size).toBeGreaterThanOrEqual(44);
  await expectAccessible(page);
  await act(page, 'Сам такой', 'Убрать со стены').click();
  await page.getByText('Другая причина…').click();
  await expect(page.getByRole('textbox', { name: 'Причина' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Закрыть', exact: true }).click();
  await act(page, spam, 'Убрать со стены').first().click();
  await takePictures(page, 'desk-reasons');
  await reason(page, 'Реклама или спам').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await takePictures(page, 'desk-settled');
});

test(
  'the queue while it loses the network and gets new reports',
  onlyPictures,
  async ({ page, ownWall, pageErrors }) => {
    pageErrors.expect(/ERR_CONNECTION_RESET/);
    await seedReported(ownWall, [spam, 'Все вы здесь дураки']);
    await page.clock.install();
    await openDeskAs(page, ownWall);
    await page.route(removals, (route) => route.abort('connectionreset'));
    await act(page, spam, 'Убрать со стены').click();
    await reason(page, 'Реклама или спам').click();
    await takePictures(page, 'desk-offline', page.getByRole('dialog').filter({ hasText: 'Сервер не отвечает' }));
    await page.unroute(removals);
    await reason(page, 'Реклама или спам').click();
    await expect(reported(page, spam)).toHaveCount(0);
    await seedReported(ownWall, ['Куплю гараж, дорого']);
    await page.clock.runFor(limits.pollMs);
    await takePictures(page, 'desk-new', page.getByRole('button', { name: 'Новые жалобы: 1' }));
  },
);

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
  await takeAccessible(page, 'desk-code');
  await codeField(page).fill(await mail.codeTo(me.email));
  await expect(page.getByRole('dialog')).toBeHidden();
  await openDesk(page, ownWall, `${deskPaths.people}/${author.name}`);
  await expect(page.getByRole('main')).toContainText(/Причина: Мошенничество/);
  await takeAccessible(page, 'desk-person');
});

test('people and the journal', async ({ page, ownWall }) => {
  const { author, ids } = await seedReported(ownWall, [spam]);
  await ownWall.seed.person('anna_petrova');
  await openDeskAs(page, ownWall);
  await ownWall.seed.act('remove', ids[0]!, 'Реклама или спам');
  await ownWall.admin('block', author.name, '--reason', 'Мошенничество');
  await openDesk(page, ownWall, deskPaths.people);
  await takeAccessible(page, 'desk-people', page.getByRole('list', { name: 'Люди' }).getByRole('listitem').first());
  await openDesk(page, ownWall, `${deskPaths.people}?q=zzz`);
  await expect(heading(page, 'Никого нет')).toBeVisible();
  await expectAccessible(page);
  await openDesk(page, ownWall, deskPaths.journal);
  await takeAccessible(page, 'desk-journal', page.getByRole('list', { name: 'Журнал' }).getByRole('listitem').nth(2));
});

test('the pinned post', async ({ page, ownWall }) => {
  const { id } = await newPerson(ownWall);
  const [first, second] = await ownWall.seed.posts([
    { by: id, text: 'В субботу в 12 соберёмся у фонтана: привезут новые скамейки, нужна помощь' },
    { by: id, text: 'Доброе утро' },
  ]);
  await ownWall.seed.act('pin', first!, 'важно');
  await openDeskAs(page, ownWall);
  await page.goto(ownWall.url);
  await choose(page, 'Доброе утро', 'Закрепить');
  await expect(page).toHaveURL(new RegExp(`${deskPaths.pin}\\?q=${second}$`));
  await expect(page.getByRole('radio', { name: 'Неделя' })).toBeChecked();
  await takeAccessible(page, 'desk-pin');
  await page.goto(ownWall.url);
  await takePictures(page, 'pin-feed', page.getByRole('region', { name: 'Объявление' }));
});

/** Controls that are too low for a finger. Links in a text are left out, because they are as high as its lines. */
const lowControls = (page: Page) =>
  page
    .locator('main :is(a, button, input, textarea):not(p a, [type=hidden])')
    .evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility() && (one.closest('label') ?? one).getBoundingClientRect().height < 44)
        .map(({ outerHTML }) => outerHTML),
    );

test('the pages of owners with a text and the findings about mail, and an invitation', async ({ page, ownWall }) => {
  const me = await newPerson(ownWall);
  await ownWall.seed.appoint(me, 'owner');
  await page.setViewportSize(phone);
  await restoreSession(page, ownWall, me, '/keep');
  await takeAccessible(page, 'keep-new', page.getByRole('heading', { name: 'До первых людей' }));
  expect(await lowControls(page)).toEqual([]);
  for (const part of ['about', 'people', 'order', 'health']) {
    await openPage(page, `${ownWall.url}/keep?part=${part}`);
    await takeAccessible(page, `keep-${part}`);
    expect(await lowControls(page)).toEqual([]);
  }
  for (const step of ['about', 'name', 'rules', 'post', 'invite']) {
    await openPage(page, `${ownWall.url}/keep?step=${step}`);
    await takeAccessible(page, `step-${step}`);
    expect(await lowControls(page)).toEqual([]);
  }
  await openPage(page, ownWall.url);
  await takeAccessible(page, 'owner-feed-new', page.getByRole('link', { name: 'Назвать стену' }));
  await openPage(page, `${ownWall.url}/keep?text=rules`);
  await page.getByRole('button', { name: 'Показать, как будет' }).click();
  await takeAccessible(page, 'keep-text', page.getByRole('region', { name: 'Как будет' }));
  await openPage(page, `${ownWall.url}/keep?part=mail`);
  await page.getByRole('button', { name: 'Отправить мне письмо' }).click();
  await expect(page.getByRole('main')).toContainText('Письмо ушло');
  await takeAccessible(page, 'keep-mail');
  await openDesk(page, ownWall, deskPaths.invites);
  await page.getByRole('textbox', { name: 'Пометка для себя: кому ссылка' }).fill('Для новых соседей');
  await page.getByRole('textbox', { name: 'Сколько человек' }).fill('2');
  await page.getByRole('button', { name: 'Сделать приглашение' }).click();
  await takeAccessible(page, 'desk-invite-link', page.getByRole('img', { name: 'QR-код ссылки' }));
  // This browser has no sheet for sharing, so the button copies.
  await page.getByRole('button', { name: 'Отправить в чат' }).click();
  await expect(page.getByText('Скопировано')).toBeVisible();
  await page.getByRole('textbox', { name: 'Слова на объявлении' }).fill('Родители, вам сюда');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });
  await expect(page.locator('[data-sheet]')).toContainText('Родители, вам сюда');
  const around = page.locator('body :not(:has([data-sheet]), [data-sheet], [data-sheet] *)');
  await expect(around.filter({ visible: true })).toHaveCount(0);
  const perMillimetre = 96 / 25.4;
  for (const [part, millimetres] of [
    ['[aria-hidden]', 24],
    ['[role=img]', 70],
  ] as const) {
    const { x, width } = (await page.locator(`[data-sheet] > ${part}`).boundingBox())!;
    expect(Math.abs(width - millimetres * perMillimetre), part).toBeLessThan(1);
    expect(Math.abs(2 * x + width - 794), part).toBeLessThan(2);
  }
});

/** Acts as an owner, who may also moderate. */
async function moderate({ seed, url }: Wall, method: string, path: string, body: object): Promise<void> {
  const person = await newPerson({ seed });
  await seed.appoint(person, 'owner');
  const { token } = await seed.session(person.id);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  expect(response.status, await response.text()).toBe(200);
}

test('posts of newcomers that wait', onlyPictures, async ({ page, ownWall }) => {
  const [anna, boris] = [await newPerson(ownWall), await newPerson(ownWall)];
  await ownWall.seed.hold(anna.id, 'Здравствуйте! Переехали на Садовую, ищем, где учат плавать с четырёх лет');
  await ownWall.seed.hold(boris.id, 'Купите часы: https://example.org/watches');
  await openDeskAs(page, ownWall, `${deskPaths.queue}/waiting`);
  await takePictures(page, 'desk-waiting', page.getByRole('button', { name: 'Показать всем' }).first());
  await removeCookies(page);
  await restoreSession(page, ownWall, anna, '/own/posts');
  await takePictures(page, 'post-waiting', page.getByText('Ждёт проверки'));
});

test('a discussion in slow mode and a closed one', onlyPictures, async ({ page, ownWall }) => {
  const [person, by] = [await newPerson(ownWall), await ownWall.seed.person('boris_petrov')];
  const [slow, closed] = await ownWall.seed.posts([
    { by, text: 'Собаки на площадке: давайте решим', age: 600 },
    { by, text: 'Кто забрал лестницу из подъезда?' },
  ]);
  for (const id of [slow!, closed!]) await ownWall.seed.replies(id, [{ by, text: 'Отвечаю сам' }]);
  await moderate(ownWall, 'PUT', `/moderation/posts/${slow}/pace`, { seconds: 300 });
  await moderate(ownWall, 'PUT', `/moderation/posts/${closed}/lock`, { reason: 'Вопрос решён' });
  await restoreSession(page, ownWall, person, `/posts/${slow}`);
  await takePictures(page, 'discussion-slow', page.getByText(/Медленный режим/));
  await openPage(page, `${ownWall.url}/posts/${closed}`);
  await takePictures(page, 'discussion-closed', page.getByText(/Новые ответы запрещены/));
});

test('a warning, links to invite by, and the settings of an owner about them', async ({ page, ownWall }) => {
  const person = await newPerson(ownWall);
  await ownWall.admin('registration', 'members', '--reason', 'растём по знакомству');
  await restoreSession(page, ownWall, person, '/settings/invitations');
  await expect(page.getByText(/^Приглашают те, кто/)).toBeVisible();
  await expectAccessible(page);
  await ownWall.seed.appoint(person, 'owner');
  await page.reload();
  for (const count of [1, 2]) {
    await page.getByRole('button', { name: 'Сделать ссылку' }).click();
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(count);
  }
  await expect(page.getByRole('button', { name: 'Отозвать' })).toHaveCount(2);
  await takeAccessible(page, 'settings-invitations');
  await page.goto(`${ownWall.url}/keep?part=people`);
  await expect(page.getByRole('textbox', { name: 'Сколько ссылок он делает за 30 дней' })).toHaveValue('3');
  await expectAccessible(page);
  await moderate(ownWall, 'POST', `/moderation/people/${person.name}/warning`, { reason: 'Оскорбления и травля' });
  await page.goto(ownWall.url);
  await takePictures(page, 'warning', page.getByRole('dialog').filter({ hasText: 'Оскорбления и травля' }));
});

test('a closed wall', onlyPictures, async ({ page, ownWall, pageErrors }) => {
  pageErrors.tolerate(/401/);
  const settings = { contact: 'dvor@example.org', registration: 'members' };
  await moderate(ownWall, 'PUT', '/keep/settings', { ...settings, readers: 'members' });
  await openPage(page, ownWall.url);
  await takePictures(page, 'closed-wall');
  const named = {
    name: 'Дом 12 на Мира',
    line: 'О чём говорят соседи: двор, ремонт, кто что отдаёт даром',
    mark: '🏡',
  };
  await moderate(ownWall, 'PUT', '/keep/settings', named);
  for (const path of ['/', '/sign-in']) {
    await openPage(page, ownWall.url + path);
    await takePictures(page, `closed-wall-named${path === '/' ? '' : '-sign-in'}`);
  }
  await moderate(ownWall, 'PUT', '/keep/settings', { readers: 'everyone' });
  await openPage(page, ownWall.url);
  await takePictures(page, 'wall-named');
});
