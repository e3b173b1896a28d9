import { hydrated } from './support/app.ts';
import { newPerson, arrive } from './support/door.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { choice, choose, enter, loseNextAnswer, menuButton, publish, textField, toast } from './support/writing.ts';

const post = /\/api\/v1\/posts\/\d+$/;

test('a changed text is seen everywhere, and marked', async ({ page, ownWall }) => {
  await enter(page, ownWall);
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

test('a reply is changed as a reply', async ({ page, ownWall }) => {
  const { id: by } = await enter(page, ownWall);
  const [id] = await ownWall.seed.posts([{ by, text: 'Корень' }]);
  await ownWall.seed.replies(id!, [{ by, text: 'Ветка' }]);
  await page.goto(`${ownWall.url}/posts/${id}`);
  await hydrated(page);
  await choose(page, 'Ветка', /Изменить/);
  await expect(page.getByRole('dialog', { name: 'Изменение ответа' })).toBeVisible();
});

test('an answer lost on its way back: saved again it is found saved', async ({ page, ownWall, mishaps }) => {
  mishaps.expect(/ERR_CONNECTION_RESET|400/);
  await enter(page, ownWall);
  await publish(page, 'Было');
  await choose(page, 'Было', /Изменить/);
  await loseNextAnswer(page, 'PATCH', post);
  await textField(page).fill('Стало');
  await choice(page, 'Сохранить').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await choice(page, 'Сохранить').click();
  await expect(toast(page, 'Изменено')).toBeVisible();
  await expect(cardOf(page, 'Стало')).toContainText('изменено');
});

test('a post that is gone cannot be changed, and the text stays', async ({ page, ownWall, mishaps }) => {
  mishaps.expect(/404/);
  const person = await newPerson(ownWall);
  const [id] = await ownWall.seed.posts([{ by: person.id, text: 'Недолго' }]);
  await arrive(page, ownWall, person);
  await choose(page, 'Недолго', /Изменить/);
  await textField(page).fill('Дольше');
  await ownWall.seed.remove(id!);
  await choice(page, 'Сохранить').click();
  await expect(page.getByRole('dialog')).toContainText('Что-то пошло не так. Попробуйте ещё раз.');
  await expect(textField(page)).toHaveValue('Дольше');
});

test('the server may say that the time is over', async ({ page, ownWall, mishaps }) => {
  mishaps.expect(/403/);
  await enter(page, ownWall);
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

  test('an open dialog tells that it is over; the text stays to be copied', async ({ page, ownWall }) => {
    await enter(page, ownWall);
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
    await expect(page.getByRole('menuitem')).toHaveText(['Удалить', 'Скопировать ссылку']);
  });

  test('in an open menu the item goes when the time does', async ({ page, ownWall }) => {
    await enter(page, ownWall);
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
