import type { Page } from '@playwright/test';
import type { PostPage } from '#contract/posts.ts';
import { restoreSession, newPerson } from './support/sign-in.ts';
import { articles, turnWheel } from './support/feed.ts';
import { ordinaryText } from './support/populated-wall.ts';
import { PhoneProcessor } from './support/processor-time.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

const loaded = 5_000;
/** Milliseconds of a cheap phone's processor. */
const likeMs = 50;
const frameMs = 16.7;
const taskMs = 50;

test(`${loaded} posts are scrolled and liked with little processor time, without a shift`, async ({
  page,
  ownWall,
}) => {
  await watchShift(page);
  await openLongList(page, ownWall);
  await page.route('**/likes', (route) => route.fulfill({ json: { likes_count: 1 } }));
  const phone = await PhoneProcessor.of(page);
  const likes: number[] = [];
  for (const index of [1, 2, 3, 4, 5]) likes.push(await phone.during(() => like(page, index)));
  expect(Math.min(...likes)).toBeLessThan(likeMs);
  const { frames, ms } = await scroll(page, phone);
  expect(ms / frames).toBeLessThan(frameMs);
  const tasks: number[] = [];
  for (let run = 0; run < 4; run += 1) tasks.push(await phone.longestTask(() => turnWheel(page)));
  expect(Math.min(...tasks)).toBeLessThan(taskMs);
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

/** Likes one of the last posts in the document. Resolves when its button has changed. */
async function like(page: Page, index: number): Promise<void> {
  await page.evaluate(async (index) => {
    const button = [...document.querySelectorAll<HTMLElement>('article [aria-pressed]')].at(-index)!;
    const isChanged = new Promise((done) => new MutationObserver(done).observe(button, { attributes: true }));
    button.click();
    await isChanged;
  }, index);
}

async function scroll(page: Page, phone: PhoneProcessor): Promise<{ frames: number; ms: number }> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    window.framesShown = 0;
    const note = () => {
      window.framesShown += 1;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  const ms = await phone.during(() =>
    session.send('Input.synthesizeScrollGesture', { x: 300, y: 400, yDistance: -6_000, speed: 2_000 }),
  );
  return { frames: await page.evaluate(() => window.framesShown), ms };
}

declare global {
  interface Window {
    framesShown: number;
  }
}
