import { expect, type Page, type Response } from '@playwright/test';

/** Waits for hydration: it makes exact times available. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber$')),
  );
}

export async function openPage(page: Page, address: string): Promise<void> {
  // The history entry of a closed dialog may still be being left, which would abort the navigation.
  await page.waitForFunction(() => history.state?.dialog !== true || document.querySelector('dialog[open]'));
  await page.goto(address);
  await hydrated(page);
}

export async function reloadPage(page: Page): Promise<void> {
  await page.reload();
  await hydrated(page);
}

/** Waits until the page has requested nothing for half a second. For `networkidle`, Firefox’s event stream is traffic. */
export async function quiet(page: Page): Promise<void> {
  let last = Date.now();
  const note = () => (last = Date.now());
  page.on('request', note).on('requestfinished', note);
  while (Date.now() - last < 500) await page.waitForTimeout(100);
  page.off('request', note).off('requestfinished', note);
}

/** Sets a flag on the window that a page load would remove. */
export async function markDocument(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { marked: true }));
}

export async function expectSameDocument(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'marked' in window)).toBe(true);
}

/** The last request of a signed-in page that opens. Its response is an error if the session has ended before. */
export const mutesLoaded = (page: Page): Promise<Response> => page.waitForResponse('**/users/current/mutes');

/** Waits until the history entry of a closed dialog has been left: it would abort a navigation. */
export async function dialogLeft(page: Page): Promise<void> {
  await page.waitForFunction(() => history.state?.dialog !== true);
}
