import type { Locator } from '@playwright/test';
import { openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { boris, longName, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await openPage(page, '/');
});

test('shows its author and its age as links', async ({ page, wall }) => {
  const card = cardOf(page, texts.discussed);
  await expect(card.getByRole('link', { name: boris })).toHaveAttribute('href', `/users/${boris}`);
  const time = card.getByRole('link', { name: '1 ч.' });
  await expect(time).toHaveAttribute('href', `/posts/${wall.ids.discussed}`);
  const machine = await time.locator('time').getAttribute('datetime');
  const age = (Date.now() - Date.parse(machine!)) / 1_000;
  expect(age).toBeGreaterThan(65 * 60 - 1);
  expect(age).toBeLessThan(2 * 3_600);
});

test('shows ages in whole units', async ({ page }) => {
  const ages = page.getByRole('feed').locator('time');
  await expect(ages.nth(1)).toHaveText('2 ч.');
  await expect(ages.nth(2)).toHaveText('3 ч.');
  await expect(ages.nth(3)).toHaveText('2 дн.');
  await expect(ages.nth(4)).toHaveText('1 нд.');
  await expect(ages.nth(5)).toHaveText('2 м.');
  await expect(ages.nth(6)).toHaveText('1 г.');
});

test('only an edited post shows «изменено»', async ({ page }) => {
  await expect(cardOf(page, texts.modified).locator('[data-permalink]')).toHaveText('1 г. · изменено');
  await expect(page.getByText('изменено')).toHaveCount(1);
});

test('preserves line breaks', async ({ page }) => {
  const text = page.getByRole('feed').getByText('Список на выходные');
  expect(await text.innerText()).toBe(texts.lines);
});

test('turns URLs into links without the surrounding punctuation', async ({ page }) => {
  const links = page.getByText('Карта: ').getByRole('link');
  await expect(links).toHaveText(['https://example.org/map?x=1&y=2', 'https://example.com/путь']);
  await expect(links.first()).toHaveAttribute('href', 'https://example.org/map?x=1&y=2');
  for (const link of await links.all()) await expect(link).toHaveAttribute('rel', 'nofollow ugc noopener');
  await expect(page.getByText('Карта: ')).toHaveText(texts.links);
});

test('shows a pattern of bricks that belongs to its author’s name', async ({ page }) => {
  const faceOf = (text: string) =>
    cardOf(page, text)
      .locator('bdi')
      .first()
      .evaluate((name) => name.parentElement!.querySelector('svg')!.outerHTML);
  const [first, second, other] = [await faceOf(texts.discussed), await faceOf(texts.lines), await faceOf(texts.full)];
  expect(first).toContain('aria-hidden="true"');
  expect(first).toBe(second);
  expect(first).not.toBe(other);
});

test('abbreviates counts and hides zero', async ({ page }) => {
  const popular = cardOf(page, texts.popular);
  await expect(popular.getByRole('button', { name: 'Нравится' })).toHaveText('Нравится1,2 тыс.');
  await expect(popular.getByRole('button', { name: 'Ответить' })).toHaveText('Ответить1 млн.');
  await expect(cardOf(page, texts.lines).getByRole('button', { name: 'Нравится' })).toHaveText('Нравится');
});

test('opens on a click anywhere on it', async ({ page, wall }) => {
  await page.getByRole('feed').getByText(texts.discussed).click();
  await expect(page).toHaveURL(`/posts/${wall.ids.discussed}`);
});

const clicks: Array<[how: string, click: NonNullable<Parameters<Locator['click']>[0]>]> = [
  ['Ctrl', { modifiers: ['ControlOrMeta'] }],
  ['the middle button', { button: 'middle' }],
];

for (const [how, click] of clicks) {
  test(`opens in a new tab on a click with ${how}`, async ({ page, context, wall }) => {
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('feed').getByText(texts.discussed).click(click),
    ]);
    await expect(tab).toHaveURL(`/posts/${wall.ids.discussed}`);
    await expect(page).toHaveURL(`${wall.url}/`);
    await tab.close();
  });
}

test('a middle click on its button or link opens nothing else', async ({ page, context }) => {
  await cardOf(page, texts.discussed).getByRole('button', { name: 'Ответить' }).click({ button: 'middle' });
  await cardOf(page, texts.discussed).getByRole('link', { name: boris }).click({ button: 'middle' });
  await expect.poll(() => context.pages().length).toBe(2);
  await page.waitForTimeout(300);
  expect(context.pages()).toHaveLength(2);
});

test('does not open while its text is being selected', async ({ page, wall }) => {
  const box = (await page.getByRole('feed').getByText('Список на выходные').boundingBox())!;
  await page.mouse.move(box.x + 2, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 10, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('');
  await expect(page).toHaveURL(`${wall.url}/`);
});

test('its links open their targets', async ({ page }) => {
  await cardOf(page, texts.discussed).getByRole('link', { name: boris }).click();
  await expect(page).toHaveURL(`/users/${boris}`);
});

test('a link in its text opens a new tab and leaves the app in place', async ({ page, context, wall, pageErrors }) => {
  pageErrors.expect(/third party: https:\/\/example\.org\/map/);
  await context.route('https://example.org/**', (route) => route.fulfill({ body: '' }));
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'https://example.org/map' }).click(),
  ]);
  await expect(tab).toHaveURL('https://example.org/map?x=1&y=2');
  await expect(page).toHaveURL(`${wall.url}/`);
  await tab.close();
});

test('the page of a reply names the post it answers and links to it', async ({ page, wall }) => {
  await openPage(page, `/posts/${wall.ids.nested}`);
  const quote = page.getByRole('group', { name: 'Начало обсуждения' }).getByRole('link', { name: /Ответ\s1$/ });
  await expect(quote).toContainText(longName);
  await quote.click();
  await expect(page).toHaveURL(`/posts/${wall.ids.reply}`);
  await expect(page.getByRole('article').first().getByText('Ответ 1', { exact: true })).toBeVisible();
});

test('shows that the post it answers is deleted', async ({ page, wall }) => {
  await page.goto(`/posts/${wall.ids.orphan}`);
  await expect(page.getByRole('group', { name: 'Начало обсуждения' })).toHaveText('Запись удалена');
  await expect(page.getByText('Ответ в пустоту')).toBeVisible();
});

test('replies in a thread do not repeat the post they answer', async ({ page, wall }) => {
  await page.goto(`/posts/${wall.ids.discussed}`);
  await expect(page.getByText(texts.discussed)).toHaveCount(1);
});
