import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { MailServer } from '../smtp.ts';
import type { Seed } from '../seed.ts';
import type { StoryBrowser } from './text-browser.ts';

/** A wall with some posts, and the data that a story on it needs. */
export interface PlainWorld {
  mail: Pick<MailServer, 'codeTo'>;
  seed: Seed;
  email: string;
  /** The address that receives codes of confirmation after the address was changed. */
  confirmingEmail?: string;
  /** The account with an address. */
  whoIs(email: string): Promise<{ id: number; name: string }>;
  author: { id: number; name: string };
  /** A root post of the author. */
  postId: number;
  /** A reported post of the author. */
  reportedId: number;
}

export interface State extends PlainWorld {
  /** The person’s name and id once they are known. */
  me: { id: number; name: string };
  own: string;
}

export type Act = (browser: StoryBrowser, state: State) => Promise<void>;

export async function shows(browser: StoryBrowser, ...texts: string[]): Promise<void> {
  for (const wanted of texts) await untilSo(browser, `«${wanted}»`, 'text', (text) => text.includes(wanted));
}

export async function lacks(browser: StoryBrowser, unwanted: string): Promise<void> {
  await untilSo(browser, `no «${unwanted}»`, 'text', (text) => !text.includes(unwanted));
}

/** Opens a page and expects its text. */
export async function reads(browser: StoryBrowser, path: string, text: RegExp): Promise<void> {
  await browser.open(path);
  assert.match(await browser.text(), text);
}

/** Expects the address of the page. */
export async function isAt(browser: StoryBrowser, path: string): Promise<void> {
  await untilSo(browser, path, 'path', (now) => now === path);
}

/** Waits until the page is right, because with scripts an act takes effect later. The time limit only ends a hanging test. */
async function untilSo(
  browser: StoryBrowser,
  what: string,
  which: 'text' | 'path',
  isRight: (now: string) => boolean,
): Promise<void> {
  const deadline = performance.now() + (browser.hasScripts ? 120_000 : 0);
  while (!isRight(await browser[which]())) {
    if (performance.now() > deadline) assert.fail(`${what} at ${await browser.path()}: ${await browser.text()}`);
    await setTimeout(50);
  }
}

export async function enterCode(
  browser: StoryBrowser,
  state: State,
  button: string,
  email = state.email,
): Promise<void> {
  await shows(browser, 'Код из письма');
  await browser.send(button, { 'Код из письма': await state.mail.codeTo(email) });
}
