import type { Page } from '@playwright/test';
import type { PostPage } from '#contract/posts.ts';
import { restoreSession, newPerson } from './support/sign-in.ts';
import { articles } from './support/feed.ts';
import { ordinaryText } from './support/populated-wall.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

// Tracing runs in the page and costs more than what is measured.
test.use({ trace: 'off' });

const loaded = 5_000;
/** A frame is 16.7 ms; the limit leaves room for other load on the machine. */
const frameMs = 20;

test(`${loaded} posts scroll frame by frame without a shift, and a like appears within one frame`, async ({
  page,
  ownWall,
}) => {
  test.setTimeout(60_000);
  await watchShift(page);
  await openLongList(page, ownWall);
  await page.route('**/likes', (route) => route.fulfill({ json: { likes_count: 1 } }));
  expect(Math.min(...(await answersToLikes(page)))).toBeLessThan(frameMs);
  const frames = await framesWhileScrolling(page);
  expect(frames.toSorted((a, b) => a - b)[Math.floor(frames.length / 2)]).toBeLessThan(frameMs);
  await expectNoShift(page);
});

/** Loads everything after the first page at once: the list is as long as after days of scrolling. */
async function openLongList(page: Page, wall: Wall): Promise<void> {
  const by = await wall.seed.person('galina_m');
  await wall.seed.posts(Array.from({ length: 20 }, (_, index) => ({ by, text: ordinaryText(20 - index) })));
  await page.route('**/api/v1/posts?*cursor=*', async (route) => {
    const response: PostPage = await (await route.fetch()).json();
    const posts = Array.from({ length: loaded - 10 }, (_, index) => ({
      ...response.posts[0],
      // Older than the change log of the server.
      id: String(-1 - index),
      text: ordinaryText(11 + index),
    }));
    await route.fulfill({ json: { ...response, posts, total: loaded, next: null } });
  });
  await restoreSession(page, wall, await newPerson(wall));
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(articles(page).last()).toHaveAttribute('aria-posinset', /^1[1-9]$/);
}

/** Milliseconds from each click to the change in the document. */
function answersToLikes(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const times: number[] = [];
    for (const button of [...document.querySelectorAll<HTMLElement>('article [aria-pressed]')].slice(-5)) {
      await new Promise(requestAnimationFrame);
      const response = new Promise<number>((resolve) => {
        new MutationObserver(() => resolve(performance.now())).observe(button, { attributes: true });
      });
      const began = performance.now();
      button.click();
      times.push((await response) - began);
    }
    return times;
  });
}

async function framesWhileScrolling(page: Page): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    window.frameTimes = [];
    const note = (at: number) => {
      window.frameTimes.push(at);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await session.send('Input.synthesizeScrollGesture', { x: 300, y: 400, yDistance: -6_000, speed: 2_000 });
  const at = await page.evaluate(() => window.frameTimes);
  return at.slice(1).map((time, index) => time - at[index]!);
}

declare global {
  interface Window {
    /** Start times of the frames. */
    frameTimes: number[];
  }
}
