import { expect, type Locator, type Page } from '@playwright/test';

/** The part of a phone's window that its keyboard leaves free. */
export const aboveKeyboard = { width: 390, height: 508 };

/** The visible part of the window, in its coordinates. */
interface Visible {
  top: number;
  height: number;
}

declare global {
  interface Window {
    setVisible(visible: Visible): void;
  }
}

/**
 * Replaces `visualViewport`, as of a browser whose keyboard covers the page without making it smaller. Must be called
 * before the page is opened.
 */
export async function emulateOverlaidKeyboard(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const viewport = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0, scale: 1 });
    Object.defineProperty(window, 'visualViewport', { value: viewport });
    window.setVisible = ({ top, height }) => {
      const scrolls = top !== viewport.offsetTop;
      Object.assign(viewport, { height, offsetTop: top });
      viewport.dispatchEvent(new Event('resize'));
      if (scrolls) viewport.dispatchEvent(new Event('scroll'));
    };
  });
}

export const setVisible = (page: Page, visible: Visible): Promise<void> =>
  page.evaluate((part) => window.setVisible(part), visible);

/** Expects the whole button in the visible part of the window, with nothing over it. */
export async function expectInSight(button: Locator, { top, height }: Visible): Promise<void> {
  const sight = async () => {
    const box = (await button.boundingBox())!;
    const isOnTop = await button.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    return { isOnTop, isBelowTop: box.y >= top, isAboveEnd: box.y + box.height <= top + height };
  };
  await expect.poll(sight).toEqual({ isOnTop: true, isBelowTop: true, isAboveEnd: true });
}
