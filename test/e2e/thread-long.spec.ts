import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { seedDiscussion } from '../kit/sample-discussion.ts';
import { layoutIsStable, turnWheel } from './support/feed.ts';
import { PhoneProcessor } from './support/processor-time.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

test('1,000 replies are scrolled without long frames and with few nodes in the document', async ({ page, ownWall }) => {
  test.setTimeout(120_000);
  await watchShift(page);
  await openThousand(page, ownWall);
  await countNodes(page);
  const phone = await PhoneProcessor.of(page);
  for (const scroll of [scrollDown, turnWheel]) {
    const longest: number[] = [];
    for (let run = 0; run < 4; run += 1) longest.push(await phone.longestTask(() => scroll(page)));
    expect(Math.min(...longest), scroll.name).toBeLessThan(50);
  }
  expect(await page.evaluate(() => window.mostNodes)).toBeLessThanOrEqual(1_500);
  await expectNoShift(page);
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
  await layoutIsStable(page);
}

async function countNodes(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.mostNodes = 0;
    const count = () => {
      window.mostNodes = Math.max(window.mostNodes, document.querySelectorAll('*').length);
      requestAnimationFrame(count);
    };
    count();
  });
}

async function scrollDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Input.synthesizeScrollGesture', { x: 300, y: 400, yDistance: -2_000, speed: 2_000 });
}

declare global {
  interface Window {
    mostNodes: number;
  }
}
