import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { codeFiles } from './support/code-files.ts';
import { branchButton, outline } from './support/discussion.ts';
import { bakeries, question, seedDiscussion } from '../kit/sample-discussion.ts';
import { articles, cardOf, scrollToPost, layoutIsStable } from './support/feed.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';

test('a tapped post is painted at once; only its replies are loading', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await watchShift(page);
  await page.goto(`${ownWall.url}/posts/${ids.get(question)}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Сначала старые' }).click();
  await page.waitForTimeout(500);
  let respond = () => {};
  const held = new Promise<void>((resolve) => (respond = resolve));
  await page.route('**/thread?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => (window.shift = 0));
  await cardOf(page, 'А ржаной есть?').locator('time[title]').click();
  const opened = page.getByRole('main').getByRole('article');
  await expect(opened).toHaveCount(1, { timeout: 500 });
  await expect(opened).toContainText('А ржаной есть?');
  await expect(page.getByRole('main')).toContainText('На углу Садовой');
  const before = await opened.boundingBox();
  respond();
  await expect(articles(page).first()).toBeVisible();
  expect(await page.getByRole('article').first().boundingBox()).toEqual(before);
  await expectNoShift(page);
});

test('a reload restores the place in a branch that was loaded on request', async ({ page, ownWall }) => {
  const below = Array.from({ length: 120 }, (_, index) => ({ text: `Довод ${index + 1}` }));
  const ids = await seedDiscussion(ownWall, 'Вопрос', [{ text: 'Первый', below }, { text: 'Второй' }]);
  await page.goto(`${ownWall.url}/posts/${ids.get('Вопрос')}`);
  await hydrated(page);
  await page.waitForTimeout(500);
  await page.keyboard.press('End');
  await page.getByRole('link', { name: /^Показать ещё/ }).click();
  await scrollToPost(page, 60);
  await layoutIsStable(page);
  const before = await sight(page);
  await page.reload();
  await hydrated(page);
  await expect.poll(() => sight(page)).toEqual(before);
});

test('keys go from sibling to sibling and fold a branch', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, 'Вопрос', [
    { text: 'Первый', below: [{ text: 'Под первым', below: [{ text: 'Глубже' }] }, { text: 'Рядом' }] },
    { text: 'Второй' },
  ]);
  await page.goto(`${ownWall.url}/posts/${ids.get('Вопрос')}`);
  await hydrated(page);
  await page.waitForTimeout(500);
  const focused = () => page.evaluate(() => document.activeElement?.querySelector('[dir=auto]')?.textContent);
  await page.keyboard.press('j');
  await expect.poll(focused).toBe('Второй');
  for (const [key, text] of [
    ['j', 'Первый'],
    ['j', 'Под первым'],
    ['Shift+J', 'Рядом'],
    ['Shift+K', 'Под первым'],
    ['Shift+K', 'Первый'],
    ['Shift+K', 'Второй'],
    ['Shift+J', 'Первый'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(focused, key).toBe(text);
  }
  await page.keyboard.press('f');
  await expect.poll(() => outline(page)).toEqual(['Второй', 'Первый']);
  await page.keyboard.press('f');
  await expect.poll(() => outline(page)).toHaveLength(5);
  await expect(branchButton(cardOf(page, 'Рядом'))).toHaveCount(0);
});

test('a key pressed while the code of the discussion is loading acts once it is there', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, 'Вопрос', [{ text: 'Первый' }, { text: 'Второй' }]);
  const release = Promise.withResolvers<void>();
  await page.route(codeFiles.visitor, async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.goto(`${ownWall.url}/posts/${ids.get('Вопрос')}`);
  await hydrated(page);
  await page.waitForTimeout(500);
  await page.keyboard.press('Shift+J');
  await page.waitForTimeout(300);
  release.resolve();
  await expect(cardOf(page, 'Второй')).toBeFocused();
});

function sight(page: Page): Promise<[text: string | undefined, top: number]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('[role=feed] article')];
    const first = all.find((article) => article.getBoundingClientRect().bottom > 0);
    const text = first?.querySelector(':scope > [dir=auto]')?.textContent;
    return [text, Math.round(first?.getBoundingClientRect().top ?? 0)] as [string | undefined, number];
  });
}
