import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { act, deskPaths, openDesk, openDeskAs, queue, reason, reported, seedReported } from './support/desk.ts';
import { newPerson, codeField, restoreSession } from './support/sign-in.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { choice, choose } from './support/writing.ts';

const [first, second, third] = ['Выиграй миллион!', 'Все вы дураки', 'Куплю гараж, дорого'] as const;
const texts = [first, second, third];

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

test('the queue: its buttons on a phone, an own reason, several decisions', async ({ page, ownWall }) => {
  const { author, reporters, ids } = await seedReported(ownWall, texts);
  const [reply] = await ownWall.seed.replies(ids[0]!, [{ by: reporters[0]!.id, text: 'Жми сюда' }]);
  await ownWall.seed.report(reply!, author.id);
  await ownWall.seed.edit(ids[1]!, 'Все вы молодцы');
  await page.setViewportSize(phone);
  await openDeskAs(page, ownWall);
  const sizes = await queue(page)
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
  for (const size of sizes) expect(size).toBeGreaterThanOrEqual(44);
  await expectAccessible(page);

  await act(page, 'Жми сюда', 'Убрать со стены').click();
  await reason(page, /Другая причина/).click();
  await expect(page.getByRole('textbox', { name: 'Причина' })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Закрыть', exact: true }).click();

  for (const text of ['Жми сюда', second, third]) {
    await act(page, text, 'Убрать со стены').click();
    await reason(page, 'Мошенничество').click();
    await expect(reported(page, text)).toHaveCount(0);
  }
  await expectAccessible(page);
});

test('an empty queue, and the journal', async ({ page, ownWall }) => {
  await openDeskAs(page, ownWall);
  await expect(heading(page, 'Жалоб нет')).toBeVisible();
  await expectAccessible(page);
  const { ids, author } = await seedReported(ownWall, [first]);
  await ownWall.admin('dismiss', `${ids[0]}`, '--reason', 'спор');
  await ownWall.admin('block', author.name, '--reason', 'спам');
  await openDesk(page, ownWall, deskPaths.journal);
  await expect(page.getByRole('list', { name: 'Журнал' }).getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
});

test('the people of the wall, and nobody found', async ({ page, ownWall }) => {
  await openDeskAs(page, ownWall, deskPaths.people);
  await expect(page.getByRole('list', { name: 'Люди' }).getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
  await openDesk(page, ownWall, `${deskPaths.people}?q=zzz`);
  await expect(heading(page, 'Никого нет')).toBeVisible();
  await expectAccessible(page);
});

test('the code of a block, and a blocked person', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/403/);
  const { name } = await newPerson(ownWall);
  const me = await openDeskAs(page, ownWall, `${deskPaths.people}/${name}`);
  await page.getByRole('main').getByRole('button', { name: 'Заблокировать' }).click();
  await page.getByRole('dialog').getByText('Мошенничество', { exact: true }).click();
  await choice(page, 'Заблокировать').click();
  await expect(codeField(page)).toBeFocused();
  await expectAccessible(page);
  await codeField(page).fill(await mail.codeTo(me.email));
  await expect(page.getByRole('main')).toContainText(/Причина:\sМошенничество/);
  await expectAccessible(page);
});

test('the form that pins a post', async ({ page, ownWall }) => {
  const author = await newPerson(ownWall);
  await ownWall.seed.posts([{ by: author.id, text: 'Завтра стена не работает' }]);
  await openDeskAs(page, ownWall);
  await page.goto(ownWall.url);
  await choose(page, 'Завтра стена', 'Закрепить');
  await expect(page.getByRole('radio', { name: 'Неделя' })).toBeChecked();
  await expectAccessible(page);
});

test('the page of owners with a text and the findings about mail, and an invitation', async ({ page, ownWall }) => {
  const me = await newPerson(ownWall);
  await ownWall.seed.appoint(me, 'owner');
  await page.setViewportSize(phone);
  await restoreSession(page, ownWall, me, '/keep');
  await expect(heading(page, 'С чего начать')).toBeVisible();
  await page.getByRole('button', { name: 'Изменить: Правила' }).click();
  await page.getByRole('button', { name: 'Показать, как будет' }).click();
  await expect(page.getByRole('region', { name: 'Как будет' })).toBeVisible();
  await page.getByRole('button', { name: 'Отправить мне письмо' }).click();
  await expect(page.getByRole('main')).toContainText('почтовый сервер принял');
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
  await expectAccessible(page);
});
