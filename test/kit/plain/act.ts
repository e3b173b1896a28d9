import assert from 'node:assert/strict';
import type { MailServer } from '../smtp.ts';
import type { Seed } from '../seed.ts';
import type { PlainBrowser } from './text-browser.ts';

/** A wall with some posts, and what a story on it needs. */
export interface PlainWorld {
  mail: Pick<MailServer, 'codeTo'>;
  seed: Seed;
  email: string;
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

export type Act = (browser: PlainBrowser, state: State) => Promise<void>;

export async function shows(browser: PlainBrowser, ...texts: string[]): Promise<void> {
  const text = await browser.text();
  for (const wanted of texts) assert.ok(text.includes(wanted), `«${wanted}» at ${await browser.path()}: ${text}`);
}

export async function lacks(browser: PlainBrowser, unwanted: string): Promise<void> {
  assert.ok(!(await browser.text()).includes(unwanted), `«${unwanted}» at ${await browser.path()}`);
}

export async function enterCode(
  browser: PlainBrowser,
  state: State,
  button: string,
  email = state.email,
): Promise<void> {
  await shows(browser, 'Код отправлен');
  await browser.send(button, { 'Код из письма': await state.mail.codeTo(email) });
}
