import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { desk, phone } from './screens.ts';

/** The rules about colours, in which alone the themes differ. */
const aboutColours = ['color-contrast', 'link-in-text-block'];

/** Checks the smallest layout in the dark and the largest in the light theme, and the colours of each in both. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectAccessibleIn(page, 'dark', phone);
  await expectAccessibleIn(page, 'light', phone, aboutColours);
  await expectAccessibleIn(page, 'light', desk);
  await expectAccessibleIn(page, 'dark', desk, aboutColours);
}

/** Checks the page by all rules or only by some. */
export async function expectAccessibleIn(
  page: Page,
  theme: 'dark' | 'light',
  viewport: { width: number; height: number },
  rules?: string[],
): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
  await page.evaluate(async (name) => {
    document.documentElement.dataset['theme'] = name;
    // Cancelled animations reject `finished`.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  }, theme);
  expect(await findViolations(page, rules), `${theme}, ${viewport.width} px`).toEqual([]);
}

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** Loads axe once per document: compiling it again takes as long as the check itself. */
async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // Firefox 153 crashes when some of our sections are asked for it. Without it axe reads the attribute.
    await page.evaluate(() => Reflect.deleteProperty(Element.prototype, 'ariaLabelledByElements'));
    await page.evaluate(axe.source);
  }
  return page.evaluate(async (runOnly) => {
    // Without it axe also describes each element that passes.
    const { violations } = await window.axe!.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
}
