import type { Locator } from '@playwright/test';
import { openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { boris, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await openPage(page, '/');
});

test('preserves line breaks', async ({ page }) => {
  const text = page.getByRole('feed').getByText('Список на выходные');
  expect(await text.innerText()).toBe(texts.lines);
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
  await cardOf(page, texts.discussed).getByRole('link', { name: boris, exact: true }).click({ button: 'middle' });
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
