import type { OpenedPlain } from './open-plain.ts';
import { openTextBrowser, type TextBrowser } from './text-browser.ts';

/** A person who is signed in, in a text browser. */
export async function enter({ url, world }: OpenedPlain, name = 'anna_k'): Promise<TextBrowser & { id: number }> {
  const id = await world.seed.person(name);
  const { cookie } = await world.seed.session(id);
  const browser = openTextBrowser(url);
  browser.cookies.set('session', cookie);
  return Object.assign(browser, { id });
}

export const textsOf = async ({ db }: OpenedPlain): Promise<string[]> =>
  (await db.read.selectFrom('posts').select('text').orderBy('id').execute()).map(({ text }) => text);
