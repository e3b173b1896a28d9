import type { Page, Route } from '@playwright/test';
import { openPage } from '../../e2e/support/app.ts';
import { articles, cardOf } from '../../e2e/support/feed.ts';
import { chooseView, heading } from '../../e2e/support/views.ts';
import { choose, menuButton, newPostButton } from '../../e2e/support/writing.ts';
import { expect, type Scene, field, passToast, press, toast } from '../scene.ts';

const counter = (page: Page) => page.getByRole('dialog').getByText(/^−?\d+$/);

/** Red, green and blue of a colour on the screen. */
const colourOf = async (page: Page): Promise<number[]> => {
  const value = await counter(page).evaluate((element) => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    context.fillStyle = getComputedStyle(element).color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  });
  return value.slice(0, 3);
};

/** Refuses calls with this method. Other calls of the page to the same address pass. */
const refuse = (method: string, json: object) => (route: Route) =>
  route.request().method() === method ? route.fulfill({ status: 404, json }) : route.fallback();

/** Lists of somebody who has done nothing yet. */
export async function emptyLists({ check, newPage }: Scene): Promise<void> {
  const page = await newPage();
  const empty = async () => {
    await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
    await expect(page.getByText('Возможно, записи скоро появятся')).toBeVisible();
  };
  for (const [path, title, id] of [
    ['/liked', 'Понравившиеся', '2.12'],
    ['/own/posts', 'Мои записи', '2.13'],
    ['/own/replies', 'Мои ответы', '2.14'],
  ] as const) {
    await openPage(page, path);
    await check([id, '2.23'], async () => {
      await expect(heading(page)).toHaveText(title);
      await expect(page).toHaveTitle(`${title} - Стена`);
    });
    await check('2.56', empty);
    await check(['2.29', '2.33'], () => expect(page.getByRole('button', { name: 'Назад' })).toBeHidden());
  }
  await check('8.24', async () => {
    const missing = { code: 'NOT_FOUND', message: 'Ничего не найдено.' };
    await page.route('**/api/v1/posts/replies*', (route) => route.fulfill({ status: 404, json: missing }));
    await openPage(page, '/');
    await chooseView(page, 'Мои ответы');
    await expect(page).toHaveURL('/own/replies');
    await empty();
  });
  await check(['2.22', '2.24'], async () => {
    await openPage(page, '/settings/nothing');
    await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
  });
  await page.context().close();
}

/** New posts. */
export async function publishing({ check, newPage, place }: Scene): Promise<void> {
  const page = await newPage();
  const [first, second] = [`Первая\nот гостя (${place})`, `Вторая от гостя (${place})`];
  await openPage(page, '/');
  await newPostButton(page).filter({ visible: true }).click();
  await check('2.45', () => expect(page.getByRole('dialog', { name: 'Новая запись' })).toBeVisible());
  const publish = press(page, 'Опубликовать');
  await check('5.9', async () => {
    await expect(publish).toBeDisabled();
    await field(page).fill(' \n ');
    await expect(publish).toBeDisabled();
  });
  await check(['5.13', '9.4'], async () => {
    await field(page).fill('ы'.repeat(449));
    await expect(counter(page)).toBeHidden();
    await field(page).fill('ы'.repeat(450));
    await expect(counter(page)).toHaveText('50');
  });
  await check('5.14', async () => {
    const colours = await colourOf(page);
    expect(Math.max(...colours) - Math.min(...colours)).toBeLessThan(30);
  });
  await check(['5.11', '5.12', '9.3'], async () => {
    await field(page).fill('ы'.repeat(500));
    await expect(counter(page)).toHaveText('0');
    await expect(publish).toBeEnabled();
    await field(page).fill('ы'.repeat(501));
    await expect(counter(page)).toHaveText('−1');
    await expect(publish).toBeDisabled();
  });
  await check('5.15', async () => {
    const [red, green, blue] = (await colourOf(page)) as [number, number, number];
    expect(red).toBeGreaterThan(Math.max(green, blue) + 50);
  });

  await field(page).fill(`  ${first} \n`);
  const created = page.waitForResponse((response) => response.request().method() === 'POST');
  await publish.click();
  const { id } = await (await created).json();
  await check(['1.3', '1.6', '4.21', '3.13'], () => expect(articles(page).first()).toContainText('Первая'));
  await check('5.8', async () => {
    const { text } = await (await page.request.get(`/api/v1/posts/${id}`)).json();
    expect(text).toBe(first);
  });
  await check(['2.55', '4.22'], async () => {
    await expect(toast(page, 'Опубликовано')).toBeVisible();
    const link = toast(page, 'Опубликовано').getByRole('link', { name: 'Смотреть' });
    await expect(link).toHaveAttribute('href', `/posts/${id}`);
  });
  await passToast(page, 'Опубликовано');
  await newPostButton(page).filter({ visible: true }).click();
  await field(page).fill(second);
  await publish.click();
  await check('3.14', async () => {
    await expect(articles(page).first()).toContainText(second);
    await expect(articles(page).nth(1)).toContainText('Первая');
  });
  await passToast(page, 'Опубликовано');

  await check(['8.26', '4.38'], async () => {
    const answer = await (await page.request.get(`/api/v1/posts/${id}`)).json();
    await page.route('**/api/v1/posts', (route) => route.fulfill({ status: 201, json: answer }));
    const logged = page.waitForEvent('console', (message) => message.text().includes(`Пост с id=${id} уже существует`));
    await newPostButton(page).filter({ visible: true }).click();
    await field(page).fill('Ещё раз');
    await publish.click();
    await logged;
    await expect(page.getByText('уже существует')).toHaveCount(0);
    await page.unroute('**/api/v1/posts');
  });

  await check(['1.11', '2.13'], async () => {
    await openPage(page, '/own/posts');
    await expect(articles(page)).toContainText([second, 'Первая']);
  });
  await page.context().close();
}

/** Changes of one’s own posts, and their end. */
export async function changing({ check, newPage, place }: Scene): Promise<void> {
  const page = await newPage();
  const [first, second, changed] = [`от гостя (${place})`, `Вторая от гостя (${place})`, `Исправленная (${place})`];
  await openPage(page, '/own/posts');
  const edit = page.getByRole('menuitem', { name: /^Изменить/ });
  await menuButton(page, second).click();
  await check(['4.35', '6.6', '9.5'], async () => {
    await expect(edit).toHaveText(/^Изменить · (10:00|9:\d\d)$/);
    const before = await edit.textContent();
    await page.clock.runFor(2_000);
    await expect(edit).not.toHaveText(before!);
  });
  await check('6.7', async () => {
    await expect(page.getByRole('menuitem', { name: 'Удалить' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Пожаловаться' })).toHaveCount(0);
  });
  await edit.click();
  await check('2.47', () => expect(page.getByRole('dialog', { name: 'Изменение записи' })).toBeVisible());
  await check(['5.10', '3.17'], async () => {
    await expect(field(page)).toHaveValue(second);
    await expect(press(page, 'Сохранить')).toBeDisabled();
    await field(page).fill(`${second} `);
    await expect(press(page, 'Сохранить')).toBeDisabled();
  });
  await field(page).fill(changed);
  await check('8.22', async () => {
    const missing = { code: 'NOT_FOUND', message: 'Не то' };
    await page.route('**/api/v1/posts/*', refuse('PATCH', missing));
    await press(page, 'Сохранить').click();
    await expect(page.getByRole('dialog')).toContainText('Запись удалена. Текст можно скопировать.');
    await expect(page.getByRole('dialog')).not.toContainText(missing.message);
    await expect(press(page, 'Сохранить')).toHaveCount(0);
    await expect(field(page)).toHaveValue(changed);
  });
  await page.unrouteAll();
  await press(page, 'Закрыть').last().click();
  await choose(page, second, /^Изменить/);
  await press(page, 'Сохранить').click();
  await check(['1.10', '4.23'], async () => {
    await expect(toast(page, 'Изменено')).toBeVisible();
    await expect(cardOf(page, changed)).toBeVisible();
  });
  await passToast(page, 'Изменено');

  await choose(page, changed, /^Изменить/);
  await expect(field(page)).toBeVisible();
  // A response would set the page’s idea of the server’s time.
  await page.route('**/api/v1/**', () => {});
  await check(['2.51', '4.37', '9.5'], async () => {
    await page.clock.fastForward('09:00');
    await expect(page.getByRole('dialog')).not.toContainText('Время изменения записи истекло');
    await page.clock.fastForward('01:01');
    await expect(page.getByRole('dialog')).toContainText('Время изменения записи истекло');
  });
  await check(['4.36', '6.6'], async () => {
    await page.keyboard.press('Escape');
    await menuButton(page, changed).click();
    await expect(page.getByRole('menuitem', { name: 'Удалить' })).toBeVisible();
    await expect(edit).toHaveCount(0);
    await page.keyboard.press('Escape');
  });
  await page.unrouteAll();

  await openPage(page, '/own/posts');
  await choose(page, changed, 'Удалить');
  await check('2.49', async () => {
    await expect(page.getByRole('dialog', { name: 'Удалить запись?' })).toBeVisible();
    await expect(press(page, 'Отмена')).toBeVisible();
  });
  await check('8.21', async () => {
    const missing = { code: 'NOT_FOUND', message: 'Не то' };
    await page.route('**/api/v1/posts/*', refuse('DELETE', missing));
    await press(page, 'Удалить').click();
    await expect(toast(page, 'Сообщение не найдено')).toBeVisible();
  });
  await page.unrouteAll();
  await openPage(page, '/own/posts');
  await choose(page, changed, 'Удалить');
  await press(page, 'Удалить').click();
  await check(['1.10', '4.24'], async () => {
    await expect(toast(page, 'Удалено')).toBeVisible();
    await expect(cardOf(page, changed)).toHaveCount(0);
  });

  await cardOf(page, first).locator('time').first().click();
  await expect(page).toHaveURL(/\/posts\/\d+$/);
  await passToast(page, 'Удалено');
  await choose(page, first, 'Удалить');
  await press(page, 'Удалить').click();
  await check(['4.25', '4.24'], async () => {
    await expect(page).toHaveURL('/');
    await expect(toast(page, 'Удалено')).toBeVisible();
  });
  await page.context().close();
}
