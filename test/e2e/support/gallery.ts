import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { openPage } from './app.ts';
import { desk, phone, tablet } from './screens.ts';
import type { Wall } from './wall.ts';

type Screens = Record<string, { width: number; height: number }>;

const everyScreen: Screens = { phone, tablet, desk };

/** Marks a test that only takes pictures. It runs with `npm test -- gallery` and in `npm run test:all`. */
export const onlyPictures = { tag: '@pictures' };

/** `npm test -- gallery` and `npm run test:all` set PICTURES. Without it no screenshots are saved: they would take a tenth of the time of a whole run. */
const saves = process.env['PICTURES'] !== undefined;

/**
 * Saves screenshots in three sizes, or in those given, and both themes as `test-results/gallery/NAME-SCREEN-THEME.png`,
 * if pictures were asked for. Waits for `lookAt` and scrolls there. Fails when the page is wider than the window.
 */
export async function takePictures(page: Page, name: string, lookAt?: Locator, screens = everyScreen): Promise<void> {
  // Six screenshots take long on a busy machine.
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [screen, viewport] of Object.entries(screens)) {
    await page.setViewportSize(viewport);
    // A card may be replaced by its next version meanwhile.
    await expect(async () => lookAt?.scrollIntoViewIfNeeded()).toPass();
    for (const theme of saves ? ['dark', 'light'] : []) {
      await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
      await page.screenshot({ path: `test-results/gallery/${name}-${screen}-${theme}.png`, animations: 'disabled' });
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider, `${name} on a ${screen}`).toBeLessThanOrEqual(0);
  }
}

/** Takes pictures of a page and checks it with axe. */
export async function takeAccessible(page: Page, name: string, lookAt?: Locator): Promise<void> {
  await takePictures(page, name, lookAt);
  await expectAccessible(page);
}

/** Takes pictures of pages, given with their names. */
export async function takeEach(page: Page, { url }: Pick<Wall, 'url'>, paths: Record<string, string>): Promise<void> {
  for (const [name, path] of Object.entries(paths)) {
    await openPage(page, url + path);
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    await takePictures(page, name);
  }
}
