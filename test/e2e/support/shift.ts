import { expect, type Page } from '@playwright/test';

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: Array<{ node?: Node; previousRect: DOMRect; currentRect: DOMRect }>;
}

declare global {
  interface Window {
    /** The sum of the layout shifts that the browser reported. */
    shift: number;
    /** The sum of the shifts inside lists of posts. It leaves out the button below a list, which may move when posts are measured. */
    shiftInFeed: number;
    /** The elements that moved, for messages. */
    moved: string[];
  }
}

/** Must be called before the page is opened. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shift = 0;
    window.shiftInFeed = 0;
    window.moved = [];
    new PerformanceObserver((list) => {
      // A press that replaces one button over the list by another is no shift, but on a busy machine it is shown too late to count as one.
      const isOverList = ({ node }: LayoutShift['sources'][number]) => !!node?.parentElement?.closest('[data-pills]');
      // The times of posts get longer while a page is open, such as «1 мин.» after «сейчас». They grow to the left and move nothing else.
      const isTime = ({ node, previousRect: from, currentRect: to }: LayoutShift['sources'][number]) =>
        node instanceof Element && node.querySelector('time') !== null && from.right === to.right && from.y === to.y;
      for (const entry of list.getEntries() as LayoutShift[]) {
        if (entry.sources.length > 0 && entry.sources.every((source) => isOverList(source) || isTime(source))) continue;
        window.shift += entry.value;
        for (const { node, previousRect: from, currentRect: to } of entry.sources) {
          const where = node?.parentElement?.outerHTML.slice(0, 120);
          window.moved.push(
            `${node?.nodeName} ${node?.textContent?.slice(0, 60)} in ${where} from ${from.x},${from.y} to ${to.x},${to.y}`,
          );
        }
        const isIn = entry.sources.some(({ node }) => node?.parentElement?.closest('[role=feed]'));
        if (isIn) window.shiftInFeed += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** One icon that moves by its own height counts about so much on a phone. */
const invisible = 0.0001;

export async function expectNoShift(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const { shift, moved } = await page.evaluate(() => ({ shift: window.shift, moved: window.moved }));
  expect(shift, moved.join('; ')).toBeLessThan(invisible);
}

/**
 * On a busy machine the scrolling is ahead of the measuring, and what is at the edge of the window moves once by a few pixels. A
 * whole window that moves by as little as 4 px counts 0.0015.
 */
const atTheEdge = 0.001;

export async function expectNoShiftInFeed(page: Page): Promise<void> {
  const { shiftInFeed, moved } = await page.evaluate(() => ({ shiftInFeed: window.shiftInFeed, moved: window.moved }));
  expect(shiftInFeed, moved.join('; ')).toBeLessThan(atTheEdge);
}
