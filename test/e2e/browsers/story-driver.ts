import type { StoryBrowser } from '../../kit/journeys/text-browser.ts';
import type { Driver } from './driver.ts';
import { until } from './child.ts';

interface Found {
  x: number;
  y: number;
  /** A dialog asks first. */
  asks: boolean;
  /** The position is that of the summary under which the element is folded. */
  isFolded: boolean;
}

/**
 * Finds an element by its words and returns the middle of what a person clicks. With the name of a button, only in the form of that
 * button. What is disabled or covered is not found. The form of a label is marked as filled until it is sent. Runs
 * in the page.
 */
function findIn(selector: string, name: string, after: string | null, button: string | null): Found | null {
  const page = document.body;
  const words = (element: Element) => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  const named =
    button === null ? undefined : [...page.querySelectorAll('button')].find((each) => words(each) === button);
  const root = named?.form ?? page;
  const anchor =
    after === null
      ? null
      : [...root.querySelectorAll('article, li, section, p')].find((element) => words(element).includes(after));
  const found = [...root.querySelectorAll(selector)].find(
    (element) =>
      words(element) === name &&
      (!anchor || anchor.contains(element) || (anchor.compareDocumentPosition(element) & 4) !== 0),
  );
  if (!found || found.matches(':disabled')) return null;
  if (found instanceof HTMLLabelElement) {
    const form = found.form!;
    document.querySelector('form[data-filled]')?.removeAttribute('data-filled');
    form.dataset['filled'] = '';
    form.addEventListener('submit', () => form.removeAttribute('data-filled'));
  }
  const summary = found.closest('details:not([open])')?.querySelector('summary');
  // A label that is only read aloud cannot be clicked, so its field is.
  const isHidden = [found, found.parentElement!].some((each) => getComputedStyle(each).clipPath !== 'none');
  const isReadAloud = found instanceof HTMLLabelElement && isHidden;
  const clicked = summary ?? (isReadAloud ? found.control! : found);
  clicked.scrollIntoView({ block: 'center' });
  const box = clicked.getBoundingClientRect();
  const [x, y] = [box.left + Math.min(box.width / 2, 20), box.top + box.height / 2];
  // A dialog that is closing may still lie over it.
  if (!clicked.contains(document.elementFromPoint(x, y))) return null;
  return { x, y, asks: found.matches('button[aria-haspopup=dialog]'), isFolded: !!summary };
}

/** Whether the field has what was typed, or has been left. WebKit types while this already runs. Runs in the page. */
function isTyped(value: string): boolean {
  const field = document.activeElement as HTMLInputElement;
  return field.dataset['selected'] === undefined || field.value === value;
}

/** What a failure tells of the page. Runs in the page. */
function stateOfPage(selector: string): string {
  const found = [...document.querySelectorAll(selector)].map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + Math.min(width / 2, 20), top + height / 2);
    return `«${element.textContent}» at ${[left, top, width, height].join(' ')} under ${hit?.outerHTML.slice(0, 80)}`;
  });
  return [location.href, document.readyState, innerHeight, ...found, document.body.innerText].join('; ');
}

type Press = () => Promise<Found>;

/** Presses something that opens another page. */
async function untilLeft(driver: Driver, press: Press): Promise<void> {
  await driver.run(() => void (document.documentElement.dataset['left'] = ''));
  await press();
  await until(async () => {
    const isHere = () => document.readyState === 'complete' && document.documentElement.dataset['left'] === undefined;
    return (await driver.run(isHere).catch(() => false)) || undefined;
  });
}

/** A browser of the walk on pages without scripts: the fields, links and buttons get real clicks and keys. */
export function openScriptlessDriver(
  driver: Driver,
  origin: string,
  /** `filled` is the name of the button of a form whose fields have been filled. */
  leave = (press: Press, _filled?: string): Promise<void> => untilLeft(driver, press),
  isReady = () => true,
): StoryBrowser {
  /** Waits for what a function finds in a page that is ready. During a navigation browsers reject this with various errors. */
  const find = <Args extends unknown[], Result>(inPage: (...args: Args) => Result | null, ...args: Args) =>
    until(async () => {
      const isNow = await driver.run(isReady).catch(() => false);
      return (isNow && (await driver.run(inPage, ...args).catch(() => null))) || undefined;
    });

  const at = (selector: string, name: string, after: string | null = null, button: string | null = null) =>
    find(findIn, selector, name, after, button).catch(async () => {
      const page = await driver.run(stateOfPage, selector).catch((error: Error) => error.message);
      throw new Error(`Not found: ${selector} «${name}» at ${page}`);
    });

  const press = async (selector: string, name: string, after?: string | null, button?: string): Promise<Found> => {
    const found = await at(selector, name, after, button);
    await driver.click(found.x, found.y);
    return found.isFolded ? press(selector, name, after, button) : found;
  };

  return {
    open: (path) => driver.goto(origin + path),
    path: () => find(() => location.pathname + location.search),
    text: () =>
      find(() => {
        const { said = [] } = window as Window & { said?: Iterable<string> };
        const innerText = [document.body.innerText, ...said].join(' ');
        // Visually hidden words stand apart.
        return innerText.replaceAll(/\s+/g, ' ').replaceAll(' :', ':');
      }),
    follow: (link) => leave(() => press('a', link)),
    async download(link) {
      await at('a', link);
      return driver.run((name) => {
        const found = [...document.querySelectorAll('a')].find(({ textContent }) => textContent === name)!;
        const request = new XMLHttpRequest();
        request.open('GET', found.href, false);
        request.send();
        return request.responseText;
      }, link);
    },
    async send(button, values = {}, after) {
      const [buttons] = await find(
        (name) => [[...document.querySelectorAll('button')].filter((each) => each.textContent === name).length],
        button,
      );
      for (const [label, value] of Object.entries(values)) {
        await press('label', label, null, after === undefined || buttons === 1 ? button : undefined);
        if (value === true) continue;
        await find(() => {
          const field = document.activeElement as HTMLInputElement;
          // The last digit of a code may open a page where another field has the focus.
          field.dataset['selected'] = '';
          field.select();
          return true;
        });
        await (value === '' ? driver.press('Backspace') : driver.type(value));
        await find(isTyped, value);
      }
      await leave(() => press('button', button, after), Object.keys(values).length > 0 ? button : undefined);
    },
  };
}

/** The same with scripts: what is pressed changes the page without leaving it, and a dialog may ask first. */
export function openScriptedDriver(driver: Driver, origin: string): StoryBrowser {
  const confirm = () => {
    const button = document.querySelector<HTMLElement>('form dialog[open] [data-variant=danger]');
    button?.click();
    return button !== null;
  };
  const isSent = (button: string) =>
    ![...document.querySelectorAll('form[data-filled] button')].some(({ textContent }) => textContent === button);
  /** The button for the shortcuts comes with all else that only scripts can show. */
  const isReady = () => {
    // A message may be gone before a slow driver looks again: what was said stays in the text of the page.
    const page = window as Window & { said?: Set<string> };
    if (!page.said) {
      const said = (page.said = new Set<string>());
      const note = () => {
        for (const { innerText } of document.querySelectorAll<HTMLElement>('[role=status]')) said.add(innerText);
      };
      note();
      new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
    }
    return !document.querySelector('#root') || document.querySelector('button[aria-keyshortcuts="?"]') !== null;
  };
  const isInDialogEntry = () => history.state?.dialog === true && !document.querySelector('dialog[open]');
  const leave = async (press: Press, filled?: string): Promise<void> => {
    // Some pages have no app, even in browsers with scripts. Their forms open another page.
    const [isBare] = await until(() => driver.run(() => [!document.querySelector('#root')]).catch(() => undefined));
    if (isBare) return untilLeft(driver, press);
    // The last digit of a code sends it, and a choice may be saved at once.
    if (filled !== undefined && (await until(() => driver.run(isSent, filled).catch(() => undefined)))) return;
    const { asks } = await press();
    if (asks) await until(async () => (await driver.run(confirm)) || undefined);
  };
  const story = openScriptlessDriver(driver, origin, leave, isReady);
  return {
    ...story,
    hasScripts: true,
    async open(path) {
      // A closing dialog goes back over its history entry. Chromium aborts a navigation that starts at the same moment.
      await until(async () => !(await driver.run(isInDialogEntry)) || undefined);
      await story.open(path);
    },
  };
}
