import { openPage } from './support/app.ts';
import { newPerson, restoreSession } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import {
  choice,
  choose,
  signInNewPerson,
  dropNextResponse,
  menuButton,
  publish,
  textField,
  toast,
} from './support/writing.ts';

const post = /\/api\/v1\/posts\/\d+$/;

test('an edited text appears everywhere with the mark «изменено»', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  await publish(page, 'Сдесь был я');
  await choose(page, 'Сдесь был я', /^Изменить · (10:00|9:5\d)$/);
  await expect(page.getByRole('dialog', { name: 'Изменение записи' })).toContainText(
    /Изменить можно ещё (10:00|9:5\d)/,
  );
  await expect(textField(page)).toHaveValue('Сдесь был я');
  await expect(choice(page, 'Сохранить')).toBeDisabled();
  await textField(page).fill('  Сдесь был я ');
  await expect(choice(page, 'Сохранить')).toBeDisabled();
  await textField(page).fill('');
  await expect(choice(page, 'Сохранить')).toBeDisabled();
  await textField(page).fill('Здесь был я');
  await choice(page, 'Сохранить').dblclick();
  await expect(toast(page, 'Изменено')).toBeVisible();
  await expect(cardOf(page, 'Здесь был я')).toContainText('изменено');
  await expect(menuButton(page, 'Здесь был я')).toBeFocused();
  await cardOf(page, 'Здесь был я').locator('time').click();
  await expect(page.getByRole('article').first()).toContainText('Здесь был я');
});

test('a reply can be edited', async ({ page, ownWall }) => {
  const { id: by } = await signInNewPerson(page, ownWall);
  const [id] = await ownWall.seed.posts([{ by, text: 'Корень' }]);
  await ownWall.seed.replies(id!, [{ by, text: 'Ветка' }]);
  await openPage(page, `${ownWall.url}/posts/${id}`);
  await choose(page, 'Ветка', /Изменить/);
  await expect(page.getByRole('dialog', { name: 'Изменение ответа' })).toBeVisible();
});

test('a lost response: saving again finds the text saved', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET|400/);
  await signInNewPerson(page, ownWall);
  await publish(page, 'Было');
  await choose(page, 'Было', /Изменить/);
  await dropNextResponse(page, 'PATCH', post);
  await textField(page).fill('Стало');
  await choice(page, 'Сохранить').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await choice(page, 'Сохранить').click();
  await expect(toast(page, 'Изменено')).toBeVisible();
  await expect(cardOf(page, 'Стало')).toContainText('изменено');
});

test('a deleted post cannot be edited, and the text stays', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const person = await newPerson(ownWall);
  const [id] = await ownWall.seed.posts([{ by: person.id, text: 'Недолго' }]);
  await restoreSession(page, ownWall, person);
  await choose(page, 'Недолго', /Изменить/);
  await textField(page).fill('Дольше');
  await ownWall.seed.remove(id!);
  await choice(page, 'Сохранить').click();
  await expect(page.getByRole('dialog')).toContainText('Что-то пошло не так. Попробуйте ещё раз.');
  await expect(textField(page)).toHaveValue('Дольше');
});

test('shows the server’s refusal when the time to edit is over', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/403/);
  await signInNewPerson(page, ownWall);
  await publish(page, 'Поздно');
  await choose(page, 'Поздно', /Изменить/);
  await textField(page).fill('Слишком поздно');
  await page.route(post, (route) =>
    route.fulfill({ status: 403, json: { code: 'EDIT_PERIOD_EXPIRED', message: 'Время изменения записи истекло' } }),
  );
  await choice(page, 'Сохранить').click();
  await expect(page.getByRole('dialog')).toContainText('Время изменения записи истекло');
  await expect(choice(page, 'Сохранить')).toBeHidden();
});

test.describe('with a short time to edit', () => {
  test.use({ settings: { EDIT_WINDOW_SECONDS: '6' } });

  test('an open dialog shows when the time is over; the text can still be copied', async ({ page, ownWall }) => {
    await signInNewPerson(page, ownWall);
    await publish(page, 'Быстро');
    await choose(page, 'Быстро', /^Изменить · 0:0\d$/);
    await textField(page).fill('Не успею');
    await expect(page.getByRole('dialog').getByRole('alert').first()).toHaveText('Время изменения записи истекло', {
      timeout: 10_000,
    });
    await expect(textField(page)).toHaveValue('Не успею');
    await expect(textField(page)).toHaveAttribute('readonly');
    await textField(page).selectText();
    expect(await page.evaluate(() => getSelection()!.toString())).toBe('Не успею');
    await expect(choice(page, 'Сохранить')).toBeHidden();
    await page.getByRole('dialog').getByText('Закрыть', { exact: true }).click();
    await menuButton(page, 'Быстро').click();
    await expect(page.getByRole('menuitem')).toHaveText(['Удалить', 'Скопировать ссылку', 'Не следить']);
  });

  test('an open menu removes the item when the time is over', async ({ page, ownWall }) => {
    await signInNewPerson(page, ownWall);
    await publish(page, 'Меню');
    await menuButton(page, 'Меню').click();
    const item = page.getByRole('menuitem', { name: /Изменить/ });
    await expect(item).toBeFocused();
    const before = await item.textContent();
    await expect(item).not.toHaveText(before!);
    await expect(item).toBeHidden({ timeout: 10_000 });
    await expect(page.getByRole('menuitem', { name: 'Удалить' })).toBeFocused();
  });
});

test('a reply to a text that was changed later says so, in the discussion and where it quotes it', async ({
  page,
  ownWall,
}) => {
  const mark = /изменено\sпосле\sответа/;
  const { id: by } = await signInNewPerson(page, ownWall);
  const [root] = await ownWall.seed.posts([{ by, text: 'Люблю чай', age: 60 }]);
  const [early] = await ownWall.seed.replies(root!, [{ by, text: 'Первый ответ', age: 30 }]);
  await ownWall.seed.replies(early!, [{ by, text: 'Ответ ниже', age: 20 }]);
  await openPage(page, `${ownWall.url}/posts/${root}`);
  await expect(cardOf(page, 'Первый ответ')).not.toContainText(mark);
  await choose(page, 'Люблю чай', /Изменить/);
  await textField(page).fill('Ненавижу чай');
  await choice(page, 'Сохранить').click();
  await expect(cardOf(page, 'Первый ответ')).toContainText(mark);
  await expect(cardOf(page, 'Ответ ниже')).not.toContainText(mark);
  await ownWall.seed.replies(root!, [{ by, text: 'Второй ответ', age: -5 }]);
  await page.reload();
  await expect(cardOf(page, 'Первый ответ')).toContainText(mark);
  await expect(cardOf(page, 'Второй ответ')).toBeVisible();
  await expect(cardOf(page, 'Второй ответ')).not.toContainText(mark);
  await openPage(page, `${ownWall.url}/own/replies`);
  await expect(cardOf(page, 'Первый ответ').last()).toContainText(mark);
  await expect(cardOf(page, 'Второй ответ')).not.toContainText(mark);
  await openPage(page, `${ownWall.url}/posts/${early}`);
  await expect(page.getByRole('group', { name: 'Начало обсуждения' })).toContainText(mark);
});
