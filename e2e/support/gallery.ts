import { expect, type Locator, type Page, test } from '@playwright/test';
import { desk, phone, tablet } from './screens.ts';

const screens = { phone, tablet, desk };

/**
 * Keeps what the page shows on three screens in both themes as `test-results/gallery/NAME-SCREEN-THEME.png`. A page that
 * is wider than its screen is no picture worth keeping.
 */
export async function takePictures(page: Page, name: string, lookAt?: Locator): Promise<void> {
  // Six pictures take a while on a busy machine.
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [screen, viewport] of Object.entries(screens)) {
    await page.setViewportSize(viewport);
    await lookAt?.scrollIntoViewIfNeeded();
    for (const theme of ['dark', 'light']) {
      await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
      await page.screenshot({ path: `test-results/gallery/${name}-${screen}-${theme}.png`, animations: 'disabled' });
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider, `${name} on a ${screen}`).toBeLessThanOrEqual(0);
  }
}
