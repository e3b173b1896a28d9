import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { desk, phone } from './screens.ts';

/** Checks both themes on the smallest and the largest layout. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const viewport of [phone, desk]) {
    await page.setViewportSize(viewport);
    for (const theme of ['dark', 'light']) {
      await page.evaluate(async (theme) => {
        document.documentElement.dataset['theme'] = theme;
        // Cancelled animations reject `finished`.
        await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
      }, theme);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      expect(found, `${theme}, ${viewport.width} px`).toEqual([]);
    }
  }
}
