import { expect, test } from './test.ts';

declare global {
  interface Window {
    executed: string[];
    pwned(): void;
  }
}

/** Makes the tests of a file fail when a foreign script runs or the content security policy blocks one. */
export function nothingMayExecute(): void {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      window.executed = [];
      window.pwned = () => void window.executed.push('script');
      document.addEventListener('securitypolicyviolation', ({ blockedURI }) => window.executed.push(blockedURI));
    });
  });

  test.afterEach(async ({ page }) => {
    expect(await page.evaluate(() => window.executed)).toEqual([]);
  });
}
