import { expect, test } from './test.ts';

declare global {
  interface Window {
    executed: string[];
    pwned(): void;
  }
}

/** Tests of this file fail when a script of somebody else's has run, or the policy had to stop one. */
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
