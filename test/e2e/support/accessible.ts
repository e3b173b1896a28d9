import { expect, type Locator, type Page } from '@playwright/test';
import axe from 'axe-core';
import { desk, phone } from './screens.ts';

/** The rules about colours, in which alone the themes differ. */
const aboutColours = ['color-contrast', 'link-in-text-block'];

/** Checks the smallest layout in the dark and the largest in the light theme. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectAccessibleIn(page, 'dark', phone);
  await expectAccessibleIn(page, 'light', desk);
}

/** Checks also the colours of the bars and columns that only one of the layouts has. They are the same on every page. */
export async function expectLayoutAccessible(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectAccessibleIn(page, 'dark', desk, aboutColours);
  await expectAccessibleIn(page, 'light', phone, aboutColours);
}

/** Checks the page by all rules or only by some. */
async function expectAccessibleIn(
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

/** Expects no horizontal scrolling in windows of these sizes. */
export async function expectFits(page: Page, ...viewports: { width: number; height: number }[]): Promise<void> {
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider, `${page.url()} at ${viewport.width} px`).toBeLessThanOrEqual(0);
  }
}

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** Loads axe once per document: compiling it again takes as long as the check itself. */
async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // Firefox 153 crashes when axe reads this property of some sections. Without the property axe reads the attribute.
    await page.evaluate(() => Reflect.deleteProperty(Element.prototype, 'ariaLabelledByElements'));
    await page.evaluate(axe.source);
  }
  return page.evaluate(async (runOnly) => {
    // Without `resultTypes` axe also describes each element that passes.
    const { violations } = await window.axe!.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
}

/** The contrast ratios of these colours to the page's background (WCAG 2.2, 1.4.3). */
export async function contrastOf(page: Page, properties: string[]): Promise<number[]> {
  const [ground, ...colors] = await page
    .locator(':root')
    .evaluate(
      (root, names) => names.map((name) => getComputedStyle(root).getPropertyValue(name)),
      ['--ground', ...properties],
    );
  return page.evaluate(
    measure,
    colors.map((color) => [color, ground!] as const),
  );
}

/** The contrast of an opaque element's text to its own background. */
export async function ownContrast(element: Locator): Promise<number> {
  const { color, backgroundColor, opacity } = await element.evaluate((element) => {
    const { color, backgroundColor, opacity } = getComputedStyle(element);
    return { color, backgroundColor, opacity };
  });
  if (opacity !== '1') throw new Error(`The opacity is ${opacity}`);
  const [ratio] = await element.page().evaluate(measure, [[color, backgroundColor] as const]);
  return ratio!;
}

function measure(pairs: (readonly [string, string])[]): number[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  const luminance = (color: string) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  return pairs.map((pair) => {
    const [light, dark] = pair.map(luminance).toSorted((a, b) => b - a);
    return (light! + 0.05) / (dark! + 0.05);
  });
}
