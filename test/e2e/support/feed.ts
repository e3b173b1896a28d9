import { expect, type Locator, type Page } from '@playwright/test';

declare global {
  interface Window {
    /** The texts of the posts seen since the page was opened, by their position in the list. */
    seen: Map<number, string>;
  }
}

/** The posts of a list, without the heads of groups. */
export function articles(page: Page): Locator {
  return page.getByRole('feed').getByRole('article').and(page.locator('[aria-posinset]'));
}

export function cardOf(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text });
}

/** Scrolls down the list, a window at a time, until the post at this position is in the window. */
export async function scrollToPost(page: Page, place: number): Promise<void> {
  await page.evaluate(
    (place) =>
      new Promise<void>((arrived) => {
        window.seen ??= new Map();
        const look = () => {
          let last = 0;
          let bottom = 0;
          let isBelow = false;
          for (const article of document.querySelectorAll('[role=feed] article[aria-posinset]')) {
            last = Number(article.getAttribute('aria-posinset'));
            bottom = article.getBoundingClientRect().bottom;
            const text = article.querySelector(':scope > div > [dir=auto]')!.textContent;
            window.seen.set(last, text);
            if (last === place) isBelow = article.getBoundingClientRect().top >= innerHeight;
          }
          // A windowed list may at first render more posts than it keeps, so the post must also be in the window.
          if (last >= place && !isBelow) return arrived();
          // Windowed posts render one frame later: scrolling faster would skip them.
          const end = document.querySelector('[role=feed]')!.getBoundingClientRect().bottom;
          if (bottom >= Math.min(innerHeight, end - 1)) scrollBy(0, innerHeight);
          requestAnimationFrame(look);
        };
        look();
      }),
    place,
  );
}

/** Turns the wheel of the mouse over the list, 100 px in each frame. */
export async function turnWheel(page: Page): Promise<void> {
  await page.mouse.move(300, 400);
  for (let turn = 0; turn < 20; turn += 1) {
    await page.mouse.wheel(0, 100);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** The posts that `scrollToPost` has passed. */
export function seenPosts(page: Page): Promise<Array<[place: number, text: string]>> {
  return page.evaluate(() => [...window.seen].toSorted(([a], [b]) => a - b));
}

export function scrollPosition(page: Page): Promise<number> {
  return page.evaluate(() => scrollY);
}

/** The scroll position is restored once the windowed posts are laid out. */
export async function expectScrollPosition(page: Page, position: number): Promise<void> {
  await expect.poll(async () => Math.abs((await scrollPosition(page)) - position)).toBeLessThanOrEqual(1);
}

/** Windowed posts are measured near the viewport, which may shift them: waits until the positions are stable. */
export async function layoutIsStable(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        let before = '';
        let still = 0;
        const look = () => {
          const now = [...document.querySelectorAll('article')].map((post) => post.getBoundingClientRect().y).join();
          still = now === before ? still + 1 : 0;
          before = now;
          if (still === 10) done();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** The post at the top of the window and its distance from the edge, once the layout is stable. */
export async function sight(page: Page): Promise<{ href: string; top: number }> {
  await layoutIsStable(page);
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('[role=feed] article')];
    const first = all.find((article) => article.getBoundingClientRect().bottom > 0);
    const href = first?.querySelector('[data-permalink]')?.getAttribute('href') ?? '';
    return { href, top: Math.round(first?.getBoundingClientRect().top ?? 0) };
  });
}
