import { expect, type Locator, type Page } from '@playwright/test';
import { openPage } from './app.ts';
import { ordinaryText } from './populated-wall.ts';
import type { Wall } from './wall.ts';

export const line = (page: Page): Locator => page.getByText(/^Вы остановились здесь$/);

/** The button that goes to the line. */
export const toLine = (page: Page): Locator => page.getByRole('button', { name: /^К месту, где остановились/ });

/** Adds posts «Запись first» to «Запись last»; the last one is the newest. Returns their ids by number. */
export async function addPosts({ seed }: Wall, by: number, first: number, last: number): Promise<Map<number, number>> {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const ids = await seed.posts(numbers.map((number) => ({ by, text: ordinaryText(number), age: 3_600 })));
  return new Map(numbers.map((number, index) => [number, ids[index]!]));
}

/**
 * Posts 1 to `read` are read by a visitor, who opens the feed again an hour later, when there are posts up to `last`.
 * Returns the author and the ids of the posts by number.
 */
export async function comeBack(page: Page, wall: Wall, read: number, last: number) {
  const by = await wall.seed.person('galina_m');
  const ids = await addPosts(wall, by, 1, read);
  await openPage(page, wall.url);
  await expectStored(page, 'feed', ids.get(read));
  const newer = await addPosts(wall, by, read + 1, last);
  await passHour(page);
  await openPage(page, wall.url);
  return { by, ids: new Map([...ids, ...newer]) };
}

/** Waits until the visitor’s position in local storage is this post. */
export async function expectStored(page: Page, list: string, id: number | undefined): Promise<void> {
  const stored = () =>
    page.evaluate(
      (list) => new Map<string, string>(JSON.parse(localStorage.getItem('reading') ?? '[]')).get(list),
      list,
    );
  await expect.poll(stored).toBe(String(id));
}

/** Makes the stored visit an hour older, as after an hour's absence. */
export async function passHour(page: Page): Promise<void> {
  await page.evaluate(() => {
    const visit = JSON.parse(localStorage.getItem('reading-visit') ?? 'null');
    if (visit) localStorage.setItem('reading-visit', JSON.stringify({ ...visit, at: visit.at - 3_600 }));
  });
}

/** The number of the post below the line. */
export async function postBelowLine(page: Page): Promise<string> {
  const card = page.locator('[role=feed] article').filter({ visible: true });
  const at = (await line(page).boundingBox())!;
  const middle = at.y + at.height / 2;
  const tops = await card.evaluateAll((cards) =>
    cards.map((it) => [it.getBoundingClientRect().top, it.textContent] as const),
  );
  const [, text] = tops.find(([top]) => Math.abs(top - middle) <= 2) ?? [];
  return /Запись \d+/.exec(text ?? '')?.[0] ?? 'none';
}

/** Records the positions that the page sends from now on, with whether the request outlives the page. */
export async function watchWrites(page: Page): Promise<string[]> {
  const writes: string[] = [];
  await page.exposeFunction('noteWrite', (write: string) => void writes.push(write));
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = (address, init) => {
      if (typeof init?.body === 'string' && init.method === 'PUT' && address === '/api/v1/users/current/reading') {
        const { list, post_id } = JSON.parse(init.body);
        window.noteWrite([list, post_id, init.keepalive ? 'keepalive' : ''].join(' '));
      }
      return send(address, init);
    };
  });
  return writes;
}

declare global {
  interface Window {
    noteWrite: (write: string) => void;
  }
}

/** Makes the page hidden, as when another tab covers it, or visible again. */
export async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
