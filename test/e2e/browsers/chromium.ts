import { type Browser, chromium, type Page } from '@playwright/test';
import { type Driver, type Key, windowSize } from './driver.ts';

/** There is no chromedriver for a Chromium this old, so Playwright drives it over its own protocol. */
export async function startChromium(executablePath: string): Promise<Driver> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  return new PlaywrightDriver(browser, await browser.newPage({ viewport: windowSize }));
}

class PlaywrightDriver implements Driver {
  #browser: Browser;
  #page: Page;

  constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  async goto(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  async reload(): Promise<void> {
    await this.#page.reload();
  }

  async back(): Promise<void> {
    await this.#page.goBack();
  }

  run<Args extends unknown[], Result>(inPage: (...args: Args) => Result, ...args: Args): Promise<Result> {
    return this.#page.evaluate(`(${String(inPage)})(...${JSON.stringify(args)})`);
  }

  async click(x: number, y: number): Promise<void> {
    await this.#page.mouse.click(x, y);
    this.#moveAway();
  }

  async doubleClick(x: number, y: number): Promise<void> {
    await this.#page.mouse.dblclick(x, y);
    this.#moveAway();
  }

  /** Is not awaited: Chromium never acknowledges a move that arrives while the page of a clicked link takes the place of this one. */
  #moveAway(): void {
    void this.#page.mouse.move(1, 1).catch(() => {});
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  press(key: Key): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  quit(): Promise<void> {
    return this.#browser.close();
  }
}
