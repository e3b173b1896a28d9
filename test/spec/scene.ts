import {
  type Browser,
  type BrowserContext,
  expect as playwrightExpect,
  type Locator,
  type Page,
} from '@playwright/test';
import { desk, phone } from '../e2e/support/screens.ts';
import type { Check } from './ledger.ts';
import type { Program } from './program.ts';
import type { Wall } from './wall.ts';

/** Ends a step that hangs. It is long because a step may take long on a busy machine. */
const timeoutMs = 20_000;

export const expect = playwrightExpect.configure({ timeout: timeoutMs });

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** What the journeys of one window share. They run in order. */
export interface Scene {
  place: 'phone' | 'desk';
  wall: Wall;
  check: Check;
  /** Somebody else, whose posts are on the wall. */
  author: Program;
  /** The author’s first posts, newest first: more than two pages of the feed. */
  posts: Array<{ id: string; text: string }>;
  /** Publishes a post of the author’s and waits until visitors see it. */
  write(text: string): Promise<{ id: string; text: string }>;
  /** The person of this window: the address, and the browser’s state once it has registered. */
  email: string;
  state: State | undefined;
  /** A window of its own, of the person or with `visits` of a visitor. Its clock runs by itself and can be moved on. */
  newPage(options?: { visits?: boolean }): Promise<Page>;
}

interface Options {
  browser: Browser;
  wall: Wall;
  place: Scene['place'];
  check: Check;
}

const authorsPosts = 22;

export async function openScene({ browser, wall, place, check }: Options): Promise<Scene> {
  const author = await wall.person();
  const posts: Scene['posts'] = [];
  for (let number = authorsPosts; number > 0; number -= 1) {
    posts.unshift(await author.post(`Запись ${number} (${place})`));
  }
  const scene: Scene = {
    place,
    wall,
    check,
    author,
    posts,
    async write(text) {
      const post = await author.post(text);
      // Pages and lists that are held ready learn of additions a moment later.
      for (const path of ['/', '/api/v1/posts']) {
        await expect.poll(async () => (await fetch(wall.url + path)).text()).toContain(text);
      }
      return post;
    },
    email: wall.newAddress(),
    state: undefined,
    async newPage({ visits = false } = {}) {
      if (!visits && !scene.state) throw new Error('Nobody could register');
      const context = await browser.newContext({
        viewport: place === 'phone' ? phone : desk,
        locale: 'ru-RU',
        timezoneId: 'Europe/Moscow',
        baseURL: wall.url,
        ...(!visits && scene.state && { storageState: scene.state }),
      });
      await context.clock.install();
      context.setDefaultTimeout(timeoutMs);
      return context.newPage();
    },
  };
  return scene;
}

/** The text of the open dialog. */
export const field = (page: Page): Locator => page.getByRole('dialog').getByRole('textbox');

/** A button of the open dialog. */
export const press = (page: Page, name: string): Locator =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

export const toast = (page: Page, text: string): Locator => page.getByRole('status').filter({ hasText: text });

/** Lets the time of the shown toast and the pause after it go by. */
export async function passToast(page: Page, text: string): Promise<void> {
  await expect(toast(page, text)).toBeVisible();
  await page.clock.runFor(4_200);
  await expect(toast(page, text)).toBeHidden();
}
