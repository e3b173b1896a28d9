import type { Locator, Page } from '@playwright/test';
import type { PostPage } from '#contract/posts.ts';
import { dialogLeft, hydrated, openPage, quiet } from './support/app.ts';
import { codeFiles, holdBack } from './support/code-files.ts';
import { openDiscussion } from './support/discussion.ts';
import type { Sample } from '../kit/sample-discussion.ts';
import { articles, cardOf, layoutIsStable, turnWheel } from './support/feed.ts';
import { filledWall } from './support/live.ts';
import { ordinaryText, texts } from './support/populated-wall.ts';
import { PhoneProcessor } from './support/processor-time.ts';
import { phone as phoneScreen } from './support/screens.ts';
import { expectNoShift, expectNoShiftInFeed, watchShift } from './support/shift.ts';
import { dialog, emailField, newPerson, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { switcher } from './support/views.ts';
import type { Wall } from './support/wall.ts';

declare global {
  interface Window {
    mostNodes: number;
    mostRows: number;
  }
}

/** Milliseconds of a cheap phone's processor. */
const firstTextMs = 2_500;
const responseMs = 100;
const likeMs = 50;
const taskMs = 50;
/** A slow mobile network. */
const latencyMs = 400;
const bytesPerMs = 50;

test.describe('a page', () => {
  test.use({ viewport: phoneScreen, hasTouch: true, isMobile: true });

  for (const screen of ['/', '/posts/discussed']) {
    test(`${screen} is readable within ${firstTextMs} ms, without a layout shift`, async ({ page, wall }) => {
      const phone = await PhoneProcessor.of(page);
      await watchShift(page);
      const scripts = await holdBack(page, /\.js$/);
      const loaded = page.waitForEvent('requestfinished');
      const processorMs = await phone.during(async () => {
        await page.goto(screen.replace('discussed', String(wall.ids.discussed)), { waitUntil: 'commit' });
        await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
        await expect(page.locator('article').first()).toBeVisible();
      });
      // Nothing else has to be loaded before the text is painted.
      const { responseBodySize, responseHeadersSize } = await (await loaded).sizes();
      const networkMs = 2 * latencyMs + (responseBodySize + responseHeadersSize) / bytesPerMs;
      expect(networkMs + processorMs).toBeLessThan(firstTextMs);
      scripts.resolve();
      await hydrated(page);
      await quiet(page);
      expect(await isLargestText(page)).toBe(true);
      await expectNoShift(page);
    });
  }

  test('a tap gets a response within 100 ms', async ({ page }) => {
    await page.addInitScript(() => {
      // Keeps the list from loading by itself, so that the tap on «Показать ещё» does it.
      window.IntersectionObserver.prototype.observe = () => {};
    });
    await openPage(page, '/');
    await quiet(page);
    // Posts that arrive later are not a part of the response to the tap, so they are held back.
    const more = '**/api/v1/posts?*cursor=*';
    let response = await holdBack(page, more);
    const phone = await PhoneProcessor.of(page);
    const escape = () => page.keyboard.press('Escape');
    const card = cardOf(page, texts.discussed);
    const loadMore = async () => {
      response.resolve();
      await expect(page.getByRole('feed')).toHaveAttribute('aria-busy', 'false');
      // The next tap must not fall on a post that has come to the place of the button.
      await layoutIsStable(page);
      await page.unroute(more);
      response = await holdBack(page, more);
    };
    const closeDialog = async () => {
      await expect(dialog(page)).toBeVisible();
      await escape();
      await dialogLeft(page);
    };
    for (const [what, button, finish] of [
      ['menu', card.getByRole('button', { name: 'Действия с записью' }), escape],
      ['views', switcher(page), escape],
      ['like', card.getByRole('button', { name: 'Нравится' }), closeDialog],
      ['more', page.getByRole('button', { name: 'Показать ещё' }), loadMore],
    ] as const) {
      expect(await quickest(page, phone, button, finish), what).toBeLessThan(responseMs);
    }
  });

  test('a tap before the sign-in has arrived opens it when it has, and a skeleton only later', async ({ page }) => {
    const release = await holdBack(page, codeFiles.forms);
    await page.clock.install();
    await openPage(page, '/');
    await page.clock.pauseAt(Date.now() + 60_000);
    const like = () => cardOf(page, texts.discussed).getByRole('button', { name: 'Нравится' }).tap();
    await like();
    await expect(dialog(page)).toBeHidden();
    await page.clock.runFor(200);
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.clock.resume();
    await dialogLeft(page);
    await page.clock.pauseAt(Date.now() + 120_000);
    await like();
    await expect(dialog(page)).toBeHidden();
    release.resolve();
    await expect(emailField(page)).toBeFocused();
    await page.keyboard.type('anna@example.org');
    await expect(emailField(page)).toHaveValue('anna@example.org');
  });

  test('a tap before hydration is handled afterwards', async ({ page }) => {
    const release = await holdBack(page, /\.js$/);
    await page.goto('/', { waitUntil: 'commit' });
    await cardOf(page, texts.discussed).getByRole('button', { name: 'Ответить' }).tap();
    await expect(dialog(page)).toBeHidden();
    release.resolve();
    await expect(emailField(page)).toBeFocused();
    await expect(dialog(page)).toContainText('Чтобы ответить, войдите.');
  });
});

test('5,000 posts are scrolled and liked with little processor time and no shift', async ({ page, ownWall }) => {
  await watchShift(page);
  await openLongList(page, ownWall, 5_000);
  await page.route('**/likes', (route) => route.fulfill({ json: { likes_count: 1 } }));
  const phone = await PhoneProcessor.of(page);
  const likes: number[] = [];
  for (const index of [1, 2, 3, 4, 5]) likes.push(await phone.during(() => like(page, index)));
  expect(Math.min(...likes)).toBeLessThan(likeMs);
  const scrolls: number[] = [];
  for (let run = 0; run < 3; run += 1) scrolls.push(await phone.during(() => scrollByGesture(page, 6_000)));
  expect(Math.min(...scrolls)).toBeLessThan(gestureMs(6_000));
  await expectShortTasks(page, phone, turnWheel);
  await expectNoShift(page);
});

test('1,000 replies are scrolled without long frames and with few nodes in the document', async ({ page, ownWall }) => {
  await watchShift(page);
  await openThousand(page, ownWall);
  await countNodes(page);
  const phone = await PhoneProcessor.of(page);
  await expectShortTasks(page, phone, () => scrollByGesture(page, 2_000));
  await expectShortTasks(page, phone, turnWheel);
  expect(await page.evaluate(() => window.mostNodes)).toBeLessThanOrEqual(1_500);
  await expectNoShiftInFeed(page);
});

test('a page of replies that arrives below the screen is rendered one row after another', async ({ page, ownWall }) => {
  const replies = Array.from({ length: 45 }, (_, index) => ({ text: `Ответ №${index}.` }));
  await openDiscussion(page, ownWall, replies);
  const held = await holdBack(page, /\/thread\?.*cursor=/);
  const asked = page.waitForRequest(/\/thread\?.*cursor=/);
  await page.evaluate(() => {
    const { bottom } = document.querySelector('[role=feed]')!.getBoundingClientRect();
    scrollBy({ top: bottom - innerHeight - 100, behavior: 'instant' });
  });
  await asked;
  const rows = page.locator('[data-row]');
  const before = await rows.count();
  await page.evaluate(() => {
    window.mostRows = 0;
    // Called after each task.
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof HTMLElement);
      window.mostRows = Math.max(window.mostRows, added.filter((node) => 'row' in node.dataset).length);
    }).observe(document.querySelector('[role=feed]')!, { childList: true });
  });
  held.resolve();
  await expect.poll(() => rows.count()).toBeGreaterThan(before + 2);
  await layoutIsStable(page);
  expect(await page.evaluate(() => window.mostRows)).toBe(1);
});

/** Whether the largest thing that was painted is a text of the wall. */
function isLargestText(page: Page): Promise<boolean> {
  return page.evaluate(
    () =>
      new Promise<boolean>((done) => {
        new PerformanceObserver((list) => {
          const { element } = list.getEntries().at(-1) as PerformanceEntry & { element: Element | null };
          done(Boolean(element?.closest('article')));
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

/**
 * The processor time from a tap to the frame that shows its effect: the least of several, because the first tap also compiles
 * the code and other work on the machine only adds.
 */
async function quickest(
  page: Page,
  phone: PhoneProcessor,
  button: Locator,
  finish: () => Promise<unknown>,
): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 24 && least >= responseMs; tries += 1) {
    // The tap itself must not scroll: posts that come into view are measured and move the button.
    await expect(async () => {
      await button.scrollIntoViewIfNeeded();
      await layoutIsStable(page);
      await expect(button).toBeInViewport({ ratio: 1, timeout: 100 });
    }).toPass();
    least = Math.min(least, await phone.during(() => tapAndPaint(page, button)));
    await finish();
    // The app learns of the end of a dialog a moment after it has gone; a tap before that opens none.
    await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));
  }
  return least;
}

async function tapAndPaint(page: Page, button: Locator): Promise<void> {
  const isPainted = page.evaluate(
    () =>
      new Promise<void>((painted) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(painted));
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      }),
  );
  await button.tap();
  await isPainted;
}

/** Loads everything after the first page at once: the list is as long as after days of scrolling. */
async function openLongList(page: Page, wall: Wall, length: number): Promise<void> {
  await filledWall(wall, 20);
  await page.route('**/api/v1/posts?*cursor=*', async (route) => {
    const response: PostPage = await (await route.fetch()).json();
    const posts = Array.from({ length: length - 10 }, (_, index) => ({
      ...response.posts[0],
      // The list is ordered by id, so these older posts have lower ids than all posts of the wall.
      id: String(-1 - index),
      text: ordinaryText(11 + index),
    }));
    await route.fulfill({ json: { ...response, posts, total: length, next: null } });
  });
  await restoreSession(page, wall, await newPerson(wall));
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(articles(page).last()).toHaveAttribute('aria-posinset', /^1[1-9]$/);
}

/** Opens a discussion and loads its thousand replies. A page has ten of the first level and those below them. */
async function openThousand(page: Page, wall: Wall): Promise<void> {
  let written = 0;
  const reply = (level: number): Sample => {
    written += 1;
    const text = `Ответ ${written}\n${'Слова. '.repeat(written % 30)}`;
    return { text, below: level > 0 ? [reply(level - 1)] : [] };
  };
  await openDiscussion(
    page,
    wall,
    Array.from({ length: 420 }, (_, index) => reply(index % 21 < 4 ? 3 : 1)),
  );
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

/** Likes one of the last posts in the document. Resolves when its button has changed. */
async function like(page: Page, index: number): Promise<void> {
  await page.evaluate(async (index) => {
    const button = [...document.querySelectorAll<HTMLElement>('article [aria-pressed]')].at(-index)!;
    const isChanged = new Promise((done) => new MutationObserver(done).observe(button, { attributes: true }));
    button.click();
    await isChanged;
  }, index);
}

async function expectShortTasks(page: Page, phone: PhoneProcessor, scroll: (page: Page) => Promise<unknown>) {
  const longest: number[] = [];
  for (let run = 0; run < 4; run += 1) longest.push(await phone.longestTask(() => scroll(page)));
  expect(Math.min(...longest)).toBeLessThan(taskMs);
}

/** Pixels in a second. */
const gestureSpeed = 2_000;

/** The time that the gesture takes. A phone that needs more processor time than that cannot show every frame. */
const gestureMs = (px: number): number => (1_000 * px) / gestureSpeed;

async function scrollByGesture(page: Page, px: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Input.synthesizeScrollGesture', { x: 300, y: 400, yDistance: -px, speed: gestureSpeed });
}

/** Counts the most nodes of a frame from now on. */
async function countNodes(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.mostNodes = 0;
    const count = () => {
      window.mostNodes = Math.max(window.mostNodes, document.querySelectorAll('*').length);
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
}
