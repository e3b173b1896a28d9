import { expect, type Page } from '@playwright/test';

declare global {
  interface Window {
    /** The sum of the layout shifts that the browser reported. */
    shift: number;
  }
}

/** Must be called before the page is opened. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

export async function expectNoShift(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => window.shift)).toBe(0);
}
