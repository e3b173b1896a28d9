import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { bakeries, branchButton, outline, question, seedDiscussion } from './support/discussion.ts';
import { articles, cardOf, scrollToPost, settled } from './support/feed.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { slowDown } from './support/slowness.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

test('a tapped post is painted at once; only its replies are loading', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await watchShift(page);
  await page.goto(`${ownWall.url}/posts/${ids.get(question)}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Сначала старые' }).click();
  await page.waitForTimeout(500);
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/thread?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => (window.shift = 0));
  await cardOf(page, 'А ржаной есть?').locator('time').click();
  const opened = page.getByRole('main').getByRole('article');
  await expect(opened).toHaveCount(1, { timeout: 500 });
  await expect(opened).toContainText('А ржаной есть?');
  await expect(page.getByRole('main')).toContainText('На углу Садовой');
  const before = await opened.boundingBox();
  answer();
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
  await scrollToPost(page, 80);
  await settled(page);
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

test.describe('1,000 replies', () => {
  // Tracing runs in the page and costs more than what is measured.
  test.use({ trace: 'off' });

  test('are scrolled without long frames and with few nodes in the document', async ({ page, ownWall }) => {
    test.setTimeout(120_000);
    await watchShift(page);
    await openThousand(page, ownWall);
    await slowDown(page);
    const { longest, nodes } = await scrollDown(page);
    test.info().annotations.push({ type: 'figures', description: `${longest} ms, ${nodes} nodes` });
    expect(nodes).toBeLessThanOrEqual(1_500);
    expect(longest).toBeLessThan(50);
    await expectNoShift(page);
  });
});

/** All replies arrive with the second page. */
async function openThousand(page: Page, wall: Wall): Promise<void> {
  const direct = Array.from({ length: 20 }, (_, index) => ({ text: `Ответ ${index + 1}` }));
  const ids = await seedDiscussion(wall, 'Вопрос', direct);
  await page.route('**/thread?*cursor=*', async (route) => {
    const answer = await (await route.fetch()).json();
    const [first] = answer.replies;
    const node = (id: number, level: number) => ({
      id: String(id),
      post: { ...first.post, id: String(id), text: `Ответ ${id}\n${'Слова. '.repeat(-id % 30)}` },
      replies: [] as unknown[],
      more: null,
      level,
    });
    const replies: Array<ReturnType<typeof node>> = [];
    let open: Array<ReturnType<typeof node>> = [];
    for (let id = -1; id >= -990; id -= 1) {
      const next = node(id, -id % 5);
      open = open.slice(0, next.level);
      const above = open.at(-1);
      if (above) above.replies.push(next);
      else replies.push(next);
      open.push(next);
    }
    await route.fulfill({ json: { ...answer, replies, next: null } });
  });
  await page.goto(`${wall.url}/posts/${ids.get('Вопрос')}`);
  await hydrated(page);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.locator('[data-row^="-"]').first()).toBeAttached();
  await settled(page);
}

async function scrollDown(page: Page): Promise<{ longest: number; nodes: number }> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    window.frames_ = { longest: 0, nodes: 0 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.frames_.longest = Math.max(window.frames_.longest, duration);
    }).observe({ type: 'longtask' });
    const count = () => {
      window.frames_.nodes = Math.max(window.frames_.nodes, document.querySelectorAll('*').length);
      requestAnimationFrame(count);
    };
    count();
  });
  await session.send('Input.synthesizeScrollGesture', { x: 300, y: 400, yDistance: -12_000, speed: 2_000 });
  return page.evaluate(() => window.frames_);
}

declare global {
  interface Window {
    frames_: { longest: number; nodes: number };
  }
}

function sight(page: Page): Promise<[text: string | undefined, top: number]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('[role=feed] article')];
    const first = all.find((article) => article.getBoundingClientRect().bottom > 0);
    const text = first?.querySelector(':scope > [dir=auto]')?.textContent;
    return [text, Math.round(first?.getBoundingClientRect().top ?? 0)] as [string | undefined, number];
  });
}
