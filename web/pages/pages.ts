import { type Page, pageMatcher } from '../router/page.ts';
import { whenIdle } from '../lib/waits.ts';
import { deskPages, wallPage } from './desk-pages.ts';
import { best, bestOf } from './best.tsx';
import { discussed, feed } from './feed.tsx';
import { notFound } from './not-found.tsx';
import { ownDeleted, ownLists } from './own-pages.tsx';
import { openPages } from './open-pages.ts';
import { post } from './post.tsx';
import { postForms } from './post-forms.ts';
import { search } from './search.tsx';
import { settingsPages } from './settings-pages.tsx';
import { mailedLinks } from './mailed-links.tsx';
import { user, userReplies } from './user.tsx';
import { wallText } from './wall-text.tsx';

/** Every page of the site. */
export const pages: readonly Page[] = [
  feed,
  discussed,
  best,
  bestOf,
  post,
  ...postForms,
  ...openPages,
  user,
  userReplies,
  search,
  ...ownLists,
  ownDeleted,
  ...settingsPages,
  ...deskPages,
  wallPage,
  ...mailedLinks,
  wallText,
];

export const matchPage = pageMatcher(pages, notFound);

const idleWithinMs = 3_000;

/**
 * Loads the code of the pages with a module ahead, except those with `missing`: the pages of keepers and of links such as invitations. A
 * failed load is repeated when the page opens.
 */
export async function prefetchPages(): Promise<void> {
  await whenIdle(idleWithinMs);
  for (const page of pages)
    if ((page.access === 'user' || page.module) && !page.missing) page.prefetch?.().catch(() => {});
}
