import type { Locator } from '@playwright/test';
import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { boris, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test('clicks with Ctrl and the middle button open one new tab, and leave the page in place', async ({
  page,
  context,
  wall,
}) => {
  await openPage(page, '/');
  await markDocument(page);
  const text = page.getByRole('feed').getByText(texts.discussed);
  const time = cardOf(page, texts.discussed).locator('time[title]');
  const clicks: Array<[what: string, target: Locator, how: NonNullable<Parameters<Locator['click']>[0]>]> = [
    ['the text with Ctrl', text, { modifiers: ['ControlOrMeta'] }],
    ['the text with the middle button', text, { button: 'middle' }],
    ['the time with Ctrl', time, { modifiers: ['ControlOrMeta'] }],
  ];
  for (const [what, target, how] of clicks) {
    await test.step(what, async () => {
      const [tab] = await Promise.all([context.waitForEvent('page'), target.click(how)]);
      await expect(tab).toHaveURL(`${wall.url}/posts/${wall.ids.discussed}`);
      await expect(page).toHaveURL(`${wall.url}/`);
      await tab.close();
    });
  }
  await expectSameDocument(page);

  await cardOf(page, texts.discussed).getByRole('button', { name: 'Ответить' }).click({ button: 'middle' });
  await cardOf(page, texts.discussed).getByRole('link', { name: boris, exact: true }).click({ button: 'middle' });
  await expect.poll(() => context.pages().length).toBe(2);
  await page.waitForTimeout(300);
  expect(context.pages(), 'the button opens nothing, the link one tab').toHaveLength(2);
});

test('a text keeps its line breaks, can be selected, and its link opens a new tab', async ({
  page,
  context,
  wall,
  pageErrors,
}) => {
  await openPage(page, '/');
  const text = page.getByRole('feed').getByText('Список на выходные');
  expect(await text.innerText()).toBe(texts.lines);

  const box = (await text.boundingBox())!;
  await page.mouse.move(box.x + 2, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 10, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('');
  await expect(page).toHaveURL(`${wall.url}/`);

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
