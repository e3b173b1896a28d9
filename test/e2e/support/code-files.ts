import type { Page } from '@playwright/test';

/** The files of the app's code, as `vite.config.ts` groups them. */
export const codeFiles = {
  firstLoad: '**/assets/main-*.js',
  visitor: '**/assets/visitor-*.js',
  forms: '**/assets/forms-*.js',
  lists: '**/assets/lists-*.js',
};

const answered = (page: Page, body: string) =>
  page.route(codeFiles.firstLoad, (route) => route.fulfill({ contentType: 'text/javascript', body }));

/** What may happen to the script of the app. */
export const brokenScripts: Record<string, (page: Page) => Promise<unknown>> = {
  'is cut at 16 kB': (page) =>
    page.route(codeFiles.firstLoad, async (route) => {
      const response = await route.fetch();
      const body = (await response.body()).subarray(0, 16_384);
      await route.fulfill({ contentType: 'text/javascript', body });
    }),
  'has a syntax that the browser does not know': (page) => answered(page, 'let @ = 1;'),
  'breaks in its first line': (page) => answered(page, 'throw new Error("old engine")'),
};

/** A script that never arrives. */
export const holdScripts = (page: Page): Promise<unknown> => page.route(codeFiles.firstLoad, () => {});

/** Holds requests for matching addresses back until the returned promise is resolved. */
export async function holdBack(page: Page, address: RegExp | string): Promise<PromiseWithResolvers<void>> {
  const release = Promise.withResolvers<void>();
  await page.route(address, (route) => release.promise.then(() => route.continue()));
  return release;
}
