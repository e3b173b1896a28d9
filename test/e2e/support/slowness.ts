import type { Page } from '@playwright/test';

/** Delays scripts with a matching name until the returned promise is resolved. */
export async function delayScripts(page: Page, name: RegExp | string): Promise<PromiseWithResolvers<void>> {
  const release = Promise.withResolvers<void>();
  await page.route(name, async (route) => {
    await release.promise;
    await route.continue();
  });
  return release;
}
