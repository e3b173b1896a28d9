import type { OpenedStory } from './open-story.ts';
import { openTextBrowser, type TextBrowser } from './text-browser.ts';

/** A person who is signed in, in a text browser. */
export async function enter(
  { url, world }: OpenedStory,
  name = 'anna_k',
  role?: 'moderator' | 'owner',
): Promise<TextBrowser & { id: number }> {
  const id = await world.seed.person(name);
  if (role) await world.seed.appoint({ id, name }, role);
  const { cookie } = await world.seed.session(id);
  const browser = openTextBrowser(url);
  browser.cookies.set('session', cookie);
  return Object.assign(browser, { id });
}

export const textsOf = async ({ db }: OpenedStory): Promise<string[]> =>
  (await db.read.selectFrom('posts').select('text').orderBy('id').execute()).map(({ text }) => text);
