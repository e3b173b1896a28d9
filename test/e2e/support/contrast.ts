import type { Page } from '@playwright/test';

/** The contrast ratios of these colours to the background (WCAG 2.2, 1.4.3). */
export function contrastOf(page: Page, properties: string[]): Promise<number[]> {
  return page.evaluate(measure, properties);
}

function measure(names: string[]): number[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  const luminance = (name: string) => {
    canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name);
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const ground = luminance('--ground');
  return names.map((name) => {
    const [light, dark] = [luminance(name), ground].toSorted((a, b) => b - a);
    return (light! + 0.05) / (dark! + 0.05);
  });
}
