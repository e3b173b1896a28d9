import { setTimeout as pause } from 'node:timers/promises';
import type { Driver, Key } from './driver.ts';

/** Ends a step that hangs. Steps that work are much faster, also on a busy machine. */
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

  /**
   * Waits for hydration. The button with the shortcut `?` is rendered by scripts after the page listens to events. A click before that
   * follows the link instead of opening a dialog.
   */
  hydrated(): Promise<void> {
    return this.until('the app', () =>
      this.driver.run(
        () =>
          Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber$')) &&
          document.querySelector('button[aria-keyshortcuts="?"]') !== null,
      ),
    );
  }

  /** Expects the target to be visible, opaque, topmost and not disabled. */
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

  /** Waits until the page has this path. Browsers without the Navigation API load a new document, which is then hydrated. */
  async path(path: string): Promise<void> {
    await this.ask(`the address ${path}`, (path) => location.pathname === path, path);
    await this.hydrated();
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

/** An element as people perceive it: role, accessible name, contained text and ancestor. */
export interface Target {
  role: Role;
  /** The full name, or its beginning followed by an ellipsis. */
  name?: string;
  text?: string;
  within?: Target;
}

const selectors = {
  alert: '[role=alert]',
  article: 'article',
  banner: 'body header',
  button: 'button:not([role])',
  checkbox: 'input[type=checkbox]',
  combobox: '[role=combobox]',
  dialog: 'dialog',
  feed: '[role=feed]',
  heading: 'h1, h2, h3',
  label: 'label',
  link: 'a[href]',
  listitem: 'li',
  main: 'main',
  menu: '[role=menu]',
  menuitem: '[role=menuitem]',
  option: '[role=option]',
  region: 'section',
  status: '[role=status]',
  summary: 'summary',
  textbox: 'textarea, input:not([type=checkbox], [type=radio])',
  time: 'time',
};

type Role = keyof typeof selectors;

/** A target in a form that the page script understands; the outermost ancestor comes first. */
interface Step {
  selector: string;
  name: string | undefined;
  text: string | undefined;
}

function stepsTo({ role, name, text, within }: Target): Step[] {
  return [...(within ? stepsTo(within) : []), { selector: selectors[role], name, text }];
}

function describe({ role, name, text, within }: Target): string {
  const what = [role, name && `“${name}”`, text && `with “${text}”`].filter(Boolean).join(' ');
  return within ? `${what} in ${describe(within)}` : what;
}

type Located =
  | { found: 'no' }
  /** Why the element cannot be seen or clicked. */
  | { found: 'unusable'; why: string }
  | { found: 'yes'; x: number; y: number };

/** Runs in the page: scrolls the first visible match into view and returns its position. */
function locate(steps: Step[]): Located {
  const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (element: Element): string => {
    const labels = (element as HTMLInputElement).labels;
    const by = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const texts = by.map((id) => document.getElementById(id)?.textContent ?? '');
    return plain(
      element.getAttribute('aria-label') ??
        (texts.length > 0
          ? texts.join(' ')
          : labels?.length
            ? labels[0]!.textContent
            : (element as HTMLElement).innerText),
    );
  };
  const fits = (element: Element, { name, text }: Step): boolean => {
    const own = nameOf(element);
    const named = name === undefined || (name.endsWith('…') ? own.startsWith(name.slice(0, -1)) : own === name);
    return named && (text === undefined || plain(element.textContent).includes(text));
  };
  let places: Element[] = [document.documentElement];
  for (const step of steps) {
    const inside = places.flatMap((place) => [...place.querySelectorAll(step.selector)]);
    places = inside.filter((element) => fits(element, step) && element.checkVisibility());
  }
  const [element] = places;
  if (!element) return { found: 'no' };

  if (element.matches(':disabled')) return { found: 'unusable', why: 'disabled' };

  let opacity = 1;
  for (let at: Element | null = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
  if (opacity < 0.5) return { found: 'unusable', why: `opacity ${opacity}` };

  const box = () => element.getClientRects()[0] ?? element.getBoundingClientRect();
  const hitAt = (x: number, y: number) => document.elementFromPoint(x, y);
  const middle = () => [box().x + box().width / 2, box().y + box().height / 2] as const;
  const isHit = (hit: Element | null) => element.contains(hit);
  let hit = hitAt(...middle());
  if (!isHit(hit)) {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    hit = hitAt(...middle());
  }
  if (!isHit(hit)) return { found: 'unusable', why: `covered by ${hit?.outerHTML.slice(0, 80) ?? 'the edge'}` };
  const [x, y] = middle();
  return { found: 'yes', x, y };
}
