import { openPage } from '../../e2e/support/app.ts';
import { articles, cardOf } from '../../e2e/support/feed.ts';
import { chooseView } from '../../e2e/support/views.ts';
import { choose, newPostButton } from '../../e2e/support/writing.ts';
import { expect, type Scene, field, passToast, press, toast } from '../scene.ts';

const [minute, hour, day] = [60, 3_600, 86_400];

/** Ages in seconds with the words for them. */
const ages = [
  ['9.16', 30, 'сейчас'],
  ['9.17', 1.5 * minute, '1 мин.'],
  ['9.18', 1.5 * hour, '1 ч.'],
  ['9.19', 1.5 * day, '1 дн.'],
  ['9.20', 7.5 * day, '1 нд.'],
  ['9.20', 29.5 * day, '4 нд.'],
  ['9.21', 30.5 * day, '1 м.'],
  ['9.21', 364.5 * day, '11 м.'],
  ['9.22', 365.5 * day, '1 г.'],
  ['9.22', (5 * 365 + 2) * day, '5 л.'],
] as const;

const counts = [
  ['9.23', 999, '999'],
  ['9.23', 1_000, '1 тыс.'],
  ['9.27', 1_234, '1,2 тыс.'],
  ['9.24', 1_560_000, '1,5 млн.'],
  ['9.25', 2_000_000_000, '2 млрд.'],
  ['9.26', 3_400_000_000_000, '3,4 трлн.'],
] as const;

/** Times and counts. */
export async function telling({ check, newPage }: Scene): Promise<void> {
  const page = await newPage({ visits: true });
  await page.route('**/api/v1/posts?*', async (route) => {
    const answer = await route.fetch();
    const list = await answer.json();
    const now = Date.parse(answer.headers()['date']!) / 1_000;
    for (const [place, post] of list.posts.entries()) {
      post.created_at = now - Math.floor(ages[place]?.[1] ?? 0);
      post.actions.likes_count = counts[place]?.[1] ?? 0;
      post.actions.thread_count = 0;
    }
    await route.fulfill({ response: answer, json: list });
  });
  await openPage(page, '/settings/nothing');
  await page.getByRole('link', { name: 'Лента', exact: true }).filter({ visible: true }).first().click();
  await expect(articles(page)).toHaveCount(10);
  for (const [place, [id, , words]] of ages.entries()) {
    await check(id, () => expect(articles(page).nth(place).locator('time').first()).toHaveText(words));
  }
  for (const [place, [id, , words]] of counts.entries()) {
    await check(id, () =>
      expect(articles(page).nth(place).getByRole('button', { name: 'Нравится' })).toHaveText(`Нравится ${words}`),
    );
  }
  await page.context().close();
}

/** How long toasts stand, by the clock of the page. */
export async function standing({ check, newPage, place }: Scene): Promise<void> {
  const page = await newPage();
  await openPage(page, '/');
  const texts = [`На минуту (${place})`, `На две (${place})`];
  for (const text of texts) {
    await newPostButton(page).filter({ visible: true }).click();
    await field(page).fill(text);
    await press(page, 'Опубликовать').click();
    await expect(articles(page).first()).toContainText(text);
    await passToast(page, 'Опубликовано');
  }
  await openPage(page, '/own/posts');
  for (const text of texts) await expect(cardOf(page, text)).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  const deleted = toast(page, 'Удалено');
  for (const text of texts) {
    await choose(page, text, 'Удалить');
    await press(page, 'Удалить').click();
    await expect(cardOf(page, text)).toHaveCount(0);
  }
  await expect(deleted).toBeVisible();
  await check(['2.54', '9.12'], async () => {
    await page.clock.runFor(3_499);
    await expect(deleted).toBeVisible();
    await page.clock.runFor(1);
    await expect(deleted).toBeHidden();
  });
  await check('9.13', async () => {
    await page.clock.runFor(699);
    await expect(deleted).toBeHidden();
    await page.clock.runFor(1);
    await expect(deleted).toBeVisible();
  });
  await page.context().close();
}

/** How long a call may take. */
export async function waiting({ check, newPage }: Scene): Promise<void> {
  const page = await newPage();
  await page.addInitScript(() => {
    const limits: number[] = [];
    Object.assign(window, { limits });
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => {
      limits.push(ms);
      return timeout(ms);
    };
  });
  await openPage(page, '/');
  await chooseView(page, 'Понравившиеся');
  await check(['7.3', '9.9'], async () => {
    await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
    const limits = await page.evaluate(() => (window as unknown as { limits: number[] }).limits);
    expect(limits.length).toBeGreaterThan(0);
    expect(new Set(limits)).toEqual(new Set([10_000]));
  });
  await page.context().close();
}
