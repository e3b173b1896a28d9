import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { seedDiscussion, type Sample } from '../kit/sample-discussion.ts';
import { layoutIsStable, turnWheel } from './support/feed.ts';
import { PhoneProcessor } from './support/processor-time.ts';
import { expectNoShiftInFeed, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

test('1,000 replies are scrolled without long frames and with few nodes in the document', async ({ page, ownWall }) => {
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
  await expectNoShiftInFeed(page);
});

/** A page of a discussion has at most 50 replies: twenty of the first level here, and those below them. */
async function openThousand(page: Page, wall: Wall): Promise<void> {
  const ids = await seedDiscussion(wall, 'Вопрос', thousand());
  await page.goto(`${wall.url}/posts/${ids.get('Вопрос')}`);
  await hydrated(page);
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const end = () => document.querySelector('[role=feed] > div > article[aria-setsize="1000"]');
    const { documentElement: root } = document;
    while (end() === null) {
      const height = root.scrollHeight;
      scrollTo(0, height);
      while (root.scrollHeight <= height) await frame();
      for (let still = 0; still < 5; still += 1) await frame();
    }
  });
  await layoutIsStable(page);
}

/** Replies on four levels, of different lengths. */
function thousand(): Sample[] {
  let written = 0;
  const reply = (level: number): Sample => {
    written += 1;
    const number = written;
    return {
      text: `Ответ ${number}\n${'Слова. '.repeat(number % 30)}`,
      below: level > 0 ? [reply(level - 1)] : [],
    };
  };
  return Array.from({ length: 420 }, (_, index) => reply(index % 21 < 4 ? 3 : 1));
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
