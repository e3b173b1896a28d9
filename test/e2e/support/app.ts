import { expect, type Locator, type Page, type Request, type Response } from '@playwright/test';

/** Waits for hydration. The button with the shortcut `?` is rendered by scripts after the page listens to events. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber$')) &&
      document.querySelector('button[aria-keyshortcuts="?"]') !== null,
  );
}

/** The history entry of a closed dialog may still be being left, which would abort a navigation. */
async function canNavigate(page: Page): Promise<void> {
  await page.waitForFunction(() => history.state?.dialog !== true || document.querySelector('dialog[open]'));
}

export async function openPage(page: Page, address: string): Promise<void> {
  await canNavigate(page);
  await page.goto(address);
  await hydrated(page);
}

export async function reloadPage(page: Page): Promise<void> {
  await canNavigate(page);
  await page.reload();
  await hydrated(page);
}

export const isStream = (request: Request): boolean => request.headers()['accept'] === 'text/event-stream';

/** Waits until the page listens to events, has imported the code that it fetches ahead, and lacks no other response. */
export async function quiet(page: Page): Promise<void> {
  const state = async () => {
    const all = await page.requests();
    const ofPage = all.slice(all.findLastIndex((each) => each.isNavigationRequest()));
    const pending = ofPage.filter((each) => each.failure() === null && each.timing().responseEnd < 0);
    const isSignedIn = await page.evaluate(() => document.cookie.includes('signed-in='));
    // Each file is fetched, then imported.
    const isHere = (part: string) => ofPage.filter((each) => RegExp(`/${part}-.*js$`).test(each.url())).length > 1;
    return {
      listens: pending.some(isStream),
      pending: pending.filter((each) => !isStream(each)).map((each) => each.url()),
      ahead: ['visitor', 'forms', ...(isSignedIn ? ['lists'] : [])].filter((part) => !isHere(part)),
    };
  };
  await expect.poll(state).toEqual({ listens: true, pending: [], ahead: [] });
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

/** Clicks, and resolves to the names of what got the focus in the same task: only then do phones show their keyboard. */
export const focusedAtOnce = (opener: Locator): Promise<(string | null)[]> =>
  opener.evaluate(async (button: HTMLButtonElement) => {
    const focused: (string | null)[] = [];
    const note = ({ target }: FocusEvent) => focused.push((target as Element).getAttribute('name'));
    document.addEventListener('focusin', note);
    let isSameTask = true;
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => (isSameTask = false));
    port1.start();
    port2.postMessage(null);
    button.click();
    for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
    document.removeEventListener('focusin', note);
    return isSameTask ? focused : [];
  });
