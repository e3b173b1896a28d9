import { expect, type Page } from '@playwright/test';

/** Waits for hydration: it makes exact times available. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber$')),
  );
}

export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

export async function reloadPage(page: Page): Promise<void> {
  await page.reload();
  await hydrated(page);
}

/** Sets a flag on the window that a page load would remove. */
export async function markDocument(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { marked: true }));
}

export async function expectSameDocument(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'marked' in window)).toBe(true);
}
