import type { Page } from '@playwright/test';
import { openPage } from '../../e2e/support/app.ts';
import { articles, cardOf } from '../../e2e/support/feed.ts';
import { chooseView, heading, option, optionsOf, switcher } from '../../e2e/support/views.ts';
import { choose, menuButton } from '../../e2e/support/writing.ts';
import { expect, type Scene, field, passToast, press, toast } from '../scene.ts';

const heart = (page: Page, text: string) => cardOf(page, text).first().getByRole('button', { name: 'Нравится' });
const replyTo = (page: Page, text: string) => cardOf(page, text).first().getByRole('button', { name: 'Ответить' });
const general = 'Что-то пошло не так. Попробуйте ещё раз.';

/** Replies. */
export async function replying({ check, newPage, write, place }: Scene): Promise<void> {
  const page = await newPage();
  const silent = await write(`Без ответа (${place})`);
  const post = await write(`С ответами (${place})`);
  const mine = `Ответ гостя (${place})`;
  const nested = `Ответ на ответ (${place})`;
  await openPage(page, '/');
  await replyTo(page, post.text).click();
  const dialog = page.getByRole('dialog', { name: 'Ответ', exact: true });
  await check(['2.46', '3.17'], async () => {
    await expect(dialog).toBeVisible();
    await expect(dialog).toContainText(post.text);
  });
  await field(page).fill(mine);
  await press(page, 'Опубликовать').click();
  await check(['2.55', '4.22'], async () => {
    const link = toast(page, 'Опубликовано').getByRole('link', { name: 'Смотреть' });
    await expect(link).toHaveAttribute('href', /^\/posts\/\d+$/);
  });
  await check('4.21', () => expect(replyTo(page, post.text)).toContainText('1'));
  await passToast(page, 'Опубликовано');

  await cardOf(page, post.text).locator('time').first().click();
  await check(['1.7', '2.8', '4.21'], () => expect(page.getByRole('feed', { name: 'Ответы' })).toContainText(mine));
  await check(['2.46', '2.55', '4.21', '4.22'], async () => {
    await replyTo(page, mine).click();
    await expect(dialog).toBeVisible();
    await expect(dialog).toContainText(mine);
    await field(page).fill(nested);
    await press(page, 'Опубликовать').click();
    await expect(toast(page, 'Опубликовано').getByRole('link', { name: 'Смотреть' })).toBeVisible();
    await expect(page.getByRole('feed', { name: 'Ответы' })).toContainText(nested);
  });
  await passToast(page, 'Опубликовано');

  await check('3.15', async () => {
    await page.getByRole('button', { name: 'Назад' }).click();
    await expect(page).toHaveURL('/');
    await page.route('**/api/v1/**', () => {});
    await page.goForward();
    await expect(page.getByRole('feed', { name: 'Ответы' })).toContainText(nested);
  });
  await check('3.16', async () => {
    await page.getByRole('button', { name: 'Назад' }).click();
    await cardOf(page, silent.text).locator('time').first().click();
    await expect(page).toHaveURL(`/posts/${silent.id}`);
    await expect(page.getByRole('main')).toContainText(silent.text);
  });
  await page.unrouteAll();

  await openPage(page, '/own/replies');
  await check(['1.11', '2.14', '4.21'], () => expect(articles(page)).toContainText([nested, mine]));
  await choose(page, nested, /^Изменить/);
  await check('2.48', () => expect(page.getByRole('dialog', { name: 'Изменение ответа' })).toBeVisible());
  await page.keyboard.press('Escape');

  await check(['2.56', '8.24'], async () => {
    await openPage(page, `/posts/${silent.id}`);
    await expect(page.getByRole('main')).toContainText('Записи не найдены');
    await expect(page.getByRole('main')).toContainText('Возможно, записи скоро появятся');
    await expect(page.getByRole('main').getByRole('button', { name: 'Ответить' })).toHaveCount(1);
  });
  await check('8.24', async () => {
    await openPage(page, '/');
    const missing = { code: 'NOT_FOUND', message: 'Ничего не найдено.' };
    await page.route(/\/api\/v1\/posts\/\d+\/(thread|replies)/, (route) =>
      route.fulfill({ status: 404, json: missing }),
    );
    await cardOf(page, silent.text).locator('time').first().click();
    await expect(page.getByRole('main')).toContainText(silent.text);
    await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  });
  await page.context().close();
}

/** Likes and reports. */
export async function judging({ check, newPage, write, place }: Scene): Promise<void> {
  const page = await newPage();
  const { id, text } = await write(`Чужая (${place})`);
  const isLiked = async (liked: boolean) => {
    await expect(heart(page, text)).toHaveAttribute('aria-pressed', String(liked));
    if (liked) await expect(heart(page, text)).toContainText('1');
    else await expect(heart(page, text)).not.toContainText('1');
  };
  await openPage(page, '/');
  const like = async (method: string) => {
    const answer = page.waitForResponse(
      (response) => response.url().endsWith('/likes') && response.request().method() === method,
    );
    await heart(page, text).click();
    await answer;
  };
  await check(['1.8', '4.26'], async () => {
    await like('POST');
    await isLiked(true);
    await like('DELETE');
    await isLiked(false);
    await like('POST');
    await isLiked(true);
  });
  await check('4.27', async () => {
    await cardOf(page, text).locator('time').first().click();
    await expect(page).toHaveURL(`/posts/${id}`);
    await isLiked(true);
    await like('DELETE');
    await page.getByRole('button', { name: 'Назад' }).click();
    await isLiked(false);
    await like('POST');
  });
  await check('8.23', async () => {
    const refused = { code: 'INTERNAL', message: general };
    await page.route('**/likes', (route) => route.fulfill({ status: 500, json: refused }), { times: 1 });
    await heart(page, text).click();
    await expect(toast(page, general)).toBeVisible();
    await isLiked(true);
  });
  await page.unrouteAll();
  await check(['1.11', '2.12'], async () => {
    await openPage(page, '/liked');
    await expect(articles(page)).toContainText([text]);
  });

  await openPage(page, '/');
  await menuButton(page, text).click();
  await check('6.8', async () => {
    await expect(page.getByRole('menuitem', { name: 'Пожаловаться' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: /^Удалить|^Изменить/ })).toHaveCount(0);
  });
  await page.getByRole('menuitem', { name: 'Пожаловаться' }).click();
  await check('2.50', () => expect(page.getByRole('dialog', { name: 'Пожаловаться' })).toBeVisible());
  const reasons = page.getByRole('dialog').getByRole('radio');
  await check('5.25', async () => {
    await expect(reasons.first()).toBeVisible();
    await expect(press(page, 'Отправить')).toBeDisabled();
    for (const reason of await reasons.all()) {
      await reason.check();
      await expect(press(page, 'Отправить')).toBeEnabled();
    }
  });
  await check(['1.9', '4.28'], async () => {
    await press(page, 'Отправить').click();
    await expect(toast(page, 'Жалоба отправлена')).toBeVisible();
  });
  await check('8.27', async () => {
    await passToast(page, 'Жалоба отправлена');
    await page.evaluate(() => void setTimeout(() => Promise.reject(new Error('Нигде не обработано')), 0));
    await page.waitForEvent('pageerror');
    await expect(page.getByText('Нигде не обработано')).toHaveCount(0);
    await expect(cardOf(page, text)).toBeVisible();
  });
  await page.context().close();
}

/** The four views. */
export async function switching({ check, newPage, write, place }: Scene): Promise<void> {
  const page = await newPage();
  await openPage(page, '/liked');
  await check(['2.25', '2.26'], async () => {
    for (const [current, others] of [
      ['Понравившиеся', ['Новые', 'Мои записи', 'Мои ответы']],
      ['Мои записи', ['Новые', 'Понравившиеся', 'Мои ответы']],
      ['Мои ответы', ['Новые', 'Понравившиеся', 'Мои записи']],
    ] as const) {
      await expect(heading(page)).toHaveText(current);
      await switcher(page).click();
      await expect(optionsOf(page)).toHaveText(others);
      if (current === 'Мои ответы') await page.keyboard.press('Escape');
      else await option(page, current === 'Понравившиеся' ? 'Мои записи' : 'Мои ответы').click();
    }
  });
  await check(['2.27', '2.5'], async () => {
    const fresh = `Пока читали другое (${place})`;
    await chooseView(page, 'Новые');
    await expect(page).toHaveURL('/');
    await chooseView(page, 'Мои записи');
    await expect(heading(page)).toHaveText('Мои записи');
    await write(fresh);
    await chooseView(page, 'Новые');
    await expect(cardOf(page, fresh)).toBeVisible();
    // The first page again. It may have lost a post that somebody else has deleted meanwhile.
    const shown = await articles(page).count();
    expect(shown).toBeGreaterThan(5);
    expect(shown).toBeLessThanOrEqual(10);
  });
  await check('2.28', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const asked = page.waitForRequest((request) => request.url().includes('/api/v1/posts/replies'));
      await chooseView(page, 'Мои ответы');
      await asked;
      await chooseView(page, 'Новые');
      await expect(page).toHaveURL('/');
    }
  });
  await page.context().close();
}
