import { setTimeout as pause } from 'node:timers/promises';
import type { Driver, Key } from './driver.ts';
import { describe, type Located, locate, stepsTo, type Target } from './target.ts';

/** Only ends what hangs. */
const timeoutMs = 60_000;
const pollMs = 50;

/** User actions and expectations on a page. Every method waits for its target. */
export class Screen {
  readonly driver: Driver;
  #origin: string;

  constructor(driver: Driver, origin: string) {
    this.driver = driver;
    this.#origin = origin;
  }

  /** Opens a page and waits for hydration. */
  async open(path: string): Promise<void> {
    await this.#dialogsLeft();
    await this.driver.goto(this.#origin + path);
    await this.hydrated();
  }

  async reload(): Promise<void> {
    await this.#dialogsLeft();
    await this.driver.reload();
    await this.hydrated();
  }

  /** A closing dialog goes back over its history entry. Chromium aborts a navigation that starts at the same moment. */
  #dialogsLeft(): Promise<void> {
    return this.ask(
      'the page’s own history entry',
      () => history.state?.dialog !== true || document.querySelector('dialog[open]') !== null,
    );
  }

  hydrated(): Promise<void> {
    return this.until('the app', () =>
      this.driver.run(() =>
        Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber$')),
      ),
    );
  }

  /** Expects the target to be visible, opaque and topmost. */
  async see(target: Target): Promise<void> {
    await this.#at(target);
  }

  gone(target: Target): Promise<void> {
    return this.until(`no ${describe(target)}`, async () => (await this.#locate(target)).found === 'no');
  }

  async click(target: Target): Promise<void> {
    const { x, y } = await this.#at(target);
    await this.driver.click(x, y);
  }

  async doubleClick(target: Target): Promise<void> {
    const { x, y } = await this.#at(target);
    await this.driver.doubleClick(x, y);
  }

  /** Replaces the value of the field. */
  async fill(target: Target, text: string): Promise<void> {
    await this.click(target);
    await this.driver.run(() => (document.activeElement as HTMLTextAreaElement).select());
    await this.driver.type(text);
  }

  press(key: Key): Promise<void> {
    return this.driver.press(key);
  }

  /** Waits until the function returns true in the page. */
  ask<Args extends unknown[]>(what: string, inPage: (...args: Args) => boolean, ...args: Args): Promise<void> {
    return this.until(what, () => this.driver.run(inPage, ...args));
  }

  /** Waits until the post with this text has the focus. */
  focused(text: string): Promise<void> {
    return this.ask(
      `the focus on ${text}`,
      (text) => document.activeElement?.localName === 'article' && document.activeElement.textContent.includes(text),
      text,
    );
  }

  /** Waits until the visitor has read the list as far as this post, as the browser stores it. */
  read(list: string, post: number): Promise<void> {
    return this.ask(
      `${list} read`,
      (list, post) => new Map(JSON.parse(localStorage.getItem('reading') ?? '[]')).get(list) === post,
      list,
      String(post),
    );
  }

  path(path: string): Promise<void> {
    return this.ask(`the address ${path}`, (path) => location.pathname === path, path);
  }

  title(title: string): Promise<void> {
    return this.ask(`the title ${title}`, (title) => document.title === title, title);
  }

  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      // During a navigation browsers reject this with various errors.
      const result = await isSo().catch((error: Error) => error);
      if (result === true) return;
      if (performance.now() > deadline) {
        const state = await this.driver.run(stateOfPage).catch((error: Error) => error.message);
        throw new Error(`Not seen: ${what}. The page: ${state}`, { cause: result });
      }
      await pause(pollMs);
    }
  }

  /** The centre of the target once it has stopped moving. */
  async #at(target: Target): Promise<{ x: number; y: number }> {
    let before: Located = { found: 'no' };
    let why = '';
    let middle = { x: 0, y: 0 };
    const standsStill = async () => {
      const now = await this.#locate(target);
      const still = now.found === 'yes' && before.found === 'yes' && now.x === before.x && now.y === before.y;
      before = now;
      why = now.found === 'unusable' ? now.why : '';
      if (now.found === 'yes') middle = now;
      return still;
    };
    await this.until(describe(target), standsStill).catch((error: Error) => {
      throw new Error([error.message, why].filter(Boolean).join(': '), { cause: error });
    });
    return middle;
  }

  #locate(target: Target): Promise<Located> {
    return this.driver.run(locate, stepsTo(target));
  }
}

/** Where the focus is, and which dialog is open, for messages. */
const stateOfPage = (): string =>
  [
    document.activeElement?.outerHTML.slice(0, 200),
    `focus ${document.hasFocus()}`,
    JSON.stringify(history.state),
    document.querySelector('dialog[open]')?.textContent.slice(0, 200),
  ].join('; ');
