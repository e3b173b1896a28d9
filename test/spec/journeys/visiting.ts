import type { Page } from '@playwright/test';
import { hydrated, openPage } from '../../e2e/support/app.ts';
import { cardOf } from '../../e2e/support/feed.ts';
import { signInButton } from '../../e2e/support/sign-in.ts';
import { expect, type Scene } from '../scene.ts';

const secured = [
  '/liked',
  '/own/posts',
  '/own/replies',
  '/settings',
  '/settings/devices',
  '/settings/account/email',
  '/settings/account/username',
];

const feedLink = (page: Page) => page.getByRole('link', { name: 'Лента', exact: true }).filter({ visible: true });
const back = (page: Page) => page.getByRole('button', { name: 'Назад' });
const title = (page: Page) => page.getByRole('heading', { level: 1 });

/** What a visitor reads. */
export async function reading({ check, newPage, author, write, place }: Scene): Promise<void> {
  const page = await newPage({ visits: true });
  const newest = await write(`Новейшая (${place})`);
  await author.reply(newest.id, `Ответ автора (${place})`);
  await openPage(page, '/');
  await check('1.1', () => expect(page.locator('html')).toHaveAttribute('lang', 'ru'));
  await check(['1.2', '1.5', '2.3', '6.3'], () => expect(cardOf(page, newest.text)).toBeVisible());
  await check('2.2', async () => {
    await expect(title(page)).toHaveText('Стена');
    await expect(page).toHaveTitle('Стена');
  });
  await check(['2.29', '2.33'], () => expect(back(page)).toBeHidden());
  await check(['2.36', '6.1'], () => expect(signInButton(page)).toBeVisible());

  await check(['2.5'], async () => {
    const fresh = `Свежая запись (${place})`;
    await page.goto(`/posts/${newest.id}`);
    await hydrated(page);
    await write(fresh);
    await feedLink(page).first().click();
    await expect(cardOf(page, fresh)).toBeVisible();
  });

  await openPage(page, '/');
  await cardOf(page, newest.text).locator('time').first().click();
  await check(['1.5', '2.6', '6.3'], async () => {
    await expect(page).toHaveURL(`/posts/${newest.id}`);
    await expect(page.getByRole('main')).toContainText(newest.text);
  });
  await check('2.7', async () => {
    const bar = page.getByRole('main').getByRole('article').first();
    for (const name of ['Нравится', 'Ответить']) {
      await expect(bar.getByRole('button', { name })).toBeVisible();
    }
  });
  await check('2.8', async () => {
    await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
    await expect(page.getByRole('feed', { name: 'Ответы' })).toContainText(`Ответ автора (${place})`);
  });
  await check('2.34', () => expect(title(page)).toHaveText(/./));
  await check('2.35', () => expect(page).toHaveTitle(/^.*Новейшая .* - Стена$/));
  await check(['2.30', '2.31'], async () => {
    await back(page).click();
    await expect(page).toHaveURL('/');
    await page.goForward();
    await expect(page).toHaveURL(`/posts/${newest.id}`);
  });
  const reply = cardOf(page, `Ответ автора (${place})`);
  await check('2.6', async () => {
    await reply.locator('time').first().click();
    await expect(page).not.toHaveURL(`/posts/${newest.id}`);
    await expect(reply).toBeVisible();
    await expect(page.getByRole('main')).toContainText(newest.text);
  });
  await check('2.32', async () => {
    await page.goto('about:blank');
    await openPage(page, `/posts/${newest.id}`);
    await back(page).click();
    await expect(page).toHaveURL('/');
  });
  await check('2.9', async () => {
    const answer = await page.goto('/posts/999999');
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Запись не найдена' })).toBeVisible();
    await expect(page.getByText('Запись не существует или была удалена')).toBeVisible();
  });
  await check(['2.10', '2.24'], async () => {
    const answer = await page.goto('/such/a/page');
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
    await expect(page.getByText('Проверьте корректность адреса')).toBeVisible();
  });
  await check(['2.11', '6.5'], async () => {
    for (const path of secured) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
      await expect(page.getByRole('article')).toHaveCount(0);
    }
  });
  await page.context().close();
}

/** The frame around the pages. */
export async function frame({ check, newPage, place }: Scene): Promise<void> {
  const page = await newPage({ visits: true });
  await openPage(page, '/');
  const rail = page.getByRole('navigation', { name: 'Разделы' });
  const bar = page.getByRole('navigation', { name: 'Нижняя панель' });
  const newPostIn = (within: typeof rail) => within.getByRole('button', { name: 'Новая запись' });
  if (place === 'desk') {
    await check('2.38', async () => {
      await expect(rail.getByRole('link', { name: 'Лента' })).toBeVisible();
      await expect(newPostIn(rail)).toBeVisible();
      await expect(rail.getByRole('button', { name: 'Светлая тема' })).toBeVisible();
      const box = (await rail.boundingBox())!;
      const main = (await page.getByRole('main').boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(main.x);
    });
  }
  if (place === 'phone') {
    await check('2.39', async () => {
      await expect(bar.getByRole('link', { name: 'Лента' })).toBeInViewport();
      await expect(newPostIn(bar)).toBeInViewport();
      await expect(bar.locator('a[href="/settings"]')).toBeInViewport();
    });
    await check('2.40', async () => {
      await page.evaluate(() => scrollTo(0, 600));
      await expect(bar).not.toBeInViewport();
      // The first page of the feed may be too short for 600 pixels.
      await page.evaluate(() => scrollBy(0, -100));
      await expect(bar).toBeInViewport({ ratio: 1 });
      // The bar hides again although its link still has the focus after the click.
      await bar.getByRole('link', { name: 'Лента' }).click();
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
      await page.evaluate(() => scrollTo(0, 600));
      await expect(bar).not.toBeInViewport();
    });
  }

  const theme = () => page.locator('html').getAttribute('data-theme');
  const stored = () => page.evaluate(() => localStorage.getItem('theme'));
  await openPage(page, '/');
  await check(['1.18', '9.30'], async () => {
    expect(await stored()).toBeNull();
    expect((await theme()) ?? 'dark').toBe('dark');
  });
  await check(['1.17', '1.19', '9.30'], async () => {
    const toLight = page.getByRole('button', { name: 'Светлая тема' }).filter({ visible: true });
    const sun = await toLight.locator('svg').filter({ visible: true }).innerHTML();
    await toLight.click();
    expect(await theme()).toBe('light');
    expect(await stored()).toBe('light');
    const toDark = page.getByRole('button', { name: 'Тёмная тема' }).filter({ visible: true });
    const moon = await toDark.locator('svg').filter({ visible: true }).innerHTML();
    expect(moon).not.toBe(sun);
    await page.reload();
    expect(await theme()).toBe('light');
  });

  const { height } = page.viewportSize()!;
  const label = newPostIn(rail).getByText('Новая запись');
  const labelled = async () => ((await label.boundingBox())?.width ?? 0) > 40;
  await check('9.28', async () => {
    await page.setViewportSize({ width: 756, height });
    await expect(rail).toBeHidden();
    await expect(bar).toBeVisible();
    await page.setViewportSize({ width: 757, height });
    await expect(rail).toBeVisible();
    await expect(bar).toBeHidden();
  });
  await check('9.29', async () => {
    await page.setViewportSize({ width: 1_059, height });
    const narrow = (await rail.boundingBox())!.width;
    await page.setViewportSize({ width: 1_060, height });
    await expect.poll(async () => (await rail.boundingBox())!.width).toBeGreaterThan(narrow);
    expect(await labelled()).toBe(true);
  });
  await page.context().close();
}
