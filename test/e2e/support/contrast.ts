import type { Locator, Page } from '@playwright/test';

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
