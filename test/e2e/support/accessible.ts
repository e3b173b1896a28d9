import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { desk, phone } from './screens.ts';

/** Checks both themes on the smallest and the largest layout. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const viewport of [phone, desk]) {
    for (const theme of ['dark', 'light'] as const) await expectAccessibleIn(page, theme, viewport);
  }
}

export async function expectAccessibleIn(
  page: Page,
  theme: 'dark' | 'light',
  viewport: { width: number; height: number },
): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
  await page.evaluate(async (name) => {
    document.documentElement.dataset['theme'] = name;
    // Cancelled animations reject `finished`.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  }, theme);
  expect(await findViolations(page), `${theme}, ${viewport.width} px`).toEqual([]);
}

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** Loads axe once per document: compiling it again takes as long as the check itself. */
async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // Firefox 153 crashes when some of our sections are asked for it. Without it axe reads the attribute.
    await page.evaluate(() => Reflect.deleteProperty(Element.prototype, 'ariaLabelledByElements'));
    await page.evaluate(axe.source);
  }
  return page.evaluate(async () => {
    // Without it axe also describes each element that passes.
    const { violations } = await window.axe!.run({ resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
