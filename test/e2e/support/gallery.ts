import { expect, type Locator, type Page, test } from '@playwright/test';
import { desk, phone, tablet } from './screens.ts';

type Screens = Record<string, { width: number; height: number }>;

const everyScreen: Screens = { phone, tablet, desk };

/** Set by `npm test -- gallery`. Screenshots would take a tenth of the time of a whole run. */
const saves = process.env['PICTURES'] !== undefined;

/**
 * Saves screenshots in three sizes, or in those given, and both themes as `test-results/gallery/NAME-SCREEN-THEME.png`,
 * if pictures were asked for. Fails when the page is wider than the window.
 */
export async function takePictures(page: Page, name: string, lookAt?: Locator, screens = everyScreen): Promise<void> {
  // Six screenshots take long on a busy machine.
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [screen, viewport] of Object.entries(screens)) {
    await page.setViewportSize(viewport);
    await lookAt?.scrollIntoViewIfNeeded();
    for (const theme of saves ? ['dark', 'light'] : []) {
      await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
      await page.screenshot({ path: `test-results/gallery/${name}-${screen}-${theme}.png`, animations: 'disabled' });
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider, `${name} on a ${screen}`).toBeLessThanOrEqual(0);
  }
}
