import type { PlainBrowser } from '../../kit/plain/text-browser.ts';
import type { Driver } from './driver.ts';
import { until } from './child.ts';

/**
 * Finds an element by its words and returns the middle of what a person clicks. With the name of a button, only in the form of that
 * button. Runs in the page.
 */
function findIn(
  selector: string,
  name: string,
  after: string | null,
  button: string | null,
): { x: number; y: number } | null {
  const page = document.querySelector('.plain') ?? document.body;
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
  if (!found) return null;
  found.scrollIntoView({ block: 'center' });
  const box = found.getBoundingClientRect();
  return { x: box.left + Math.min(box.width / 2, 20), y: box.top + box.height / 2 };
}

/** A browser of the walk on pages without scripts: the fields, links and buttons get real clicks and keys. */
export function openPlainDriver(driver: Driver, origin: string): PlainBrowser {
  const at = (selector: string, name: string, after: string | null = null, button: string | null = null) =>
    until(async () => (await driver.run(findIn, selector, name, after, button).catch(() => null)) ?? undefined).catch(
      () => {
        throw new Error(`Not found: ${selector} «${name}»`);
      },
    );

  /** Presses something that opens another page. */
  async function leave(press: () => Promise<void>): Promise<void> {
    await driver.run(() => void (document.documentElement.dataset['left'] = ''));
    await press();
    await until(async () => {
      const isHere = () => document.readyState === 'complete' && document.documentElement.dataset['left'] === undefined;
      return (await driver.run(isHere).catch(() => false)) || undefined;
    });
  }

  const press = async (selector: string, name: string, after?: string | null, button?: string): Promise<void> => {
    const { x, y } = await at(selector, name, after, button);
    await driver.click(x, y);
  };

  return {
    open: (path) => driver.goto(origin + path),
    path: () => driver.run(() => location.pathname + location.search),
    text: () =>
      driver.run(() =>
        (document.querySelector<HTMLElement>('.plain') ?? document.body).innerText.replaceAll(/\s+/g, ' '),
      ),
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
      const buttons = await driver.run(
        (name) => [...document.querySelectorAll('.plain button')].filter((each) => each.textContent === name).length,
        button,
      );
      for (const [label, value] of Object.entries(values)) {
        await press('label', label, null, after === undefined || buttons === 1 ? button : undefined);
        if (value === true) continue;
        await driver.run(() => (document.activeElement as HTMLInputElement).select());
        await driver.type(value);
      }
      await leave(() => press('button', button, after));
    },
  };
}
