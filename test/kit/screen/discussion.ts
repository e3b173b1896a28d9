import assert from 'node:assert/strict';
import { type Sample, seedDiscussion } from '../sample-discussion.ts';
import type { Screen } from './open-screen.ts';
import { cards } from './posts.ts';
import { textOf } from './queries.ts';
import { openOn, openSeeded } from './seeded.ts';

/** The page of a post with a tree of replies. */
export async function openDiscussion(root: string, replies: readonly Sample[], options: { asVisitor?: boolean } = {}) {
  const wall = await openSeeded();
  const ids = await seedDiscussion(wall, root, replies);
  return { ...(await openOn(wall, `/posts/${ids.get(root)}`, options)), ids };
}

/** The texts of the replies in the order of the page, each with a dot for every level of indentation. */
const outline = (screen: Screen): string[] =>
  cards(screen).map((card) => {
    const text = card.querySelector(':scope > [dir=auto]');
    return (
      '.'.repeat(Number(card.getAttribute('data-depth'))) + (text ? textOf(text) : card.getAttribute('aria-label'))
    );
  });

export const hasOutline = (screen: Screen, texts: string[]): Promise<void> =>
  screen.until(() => assert.deepEqual(outline(screen), texts));
