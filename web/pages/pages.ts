import { type Page, pageMatcher } from '../router/page.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { discussed, following } from './discussions.tsx';
import { feed } from './feed.tsx';
import { moderation } from './moderation.tsx';
import { newPost } from './new-post.tsx';
import { notFound } from './not-found.tsx';
import { notifications } from './notifications.tsx';
import { liked, ownPosts, ownReplies, saved } from './own-lists.tsx';
import { post } from './post.tsx';
import { search } from './search.tsx';
import { settingsPages } from './settings-pages.tsx';
import { settings } from './settings.tsx';
import { mailedLinks } from './mailed-links.tsx';
import { user, userReplies } from './user.tsx';
import { wallText } from './wall-text.tsx';

/** Every page of the site. */
export const pages: readonly Page[] = [
  feed,
  discussed,
  following,
  newPost,
  post,
  user,
  userReplies,
  search,
  liked,
  ownPosts,
  ownReplies,
  saved,
  notifications,
  settings,
  ...settingsPages,
  ...moderation,
  ...mailedLinks,
  wallText,
];

export const matchPage = pageMatcher(pages, notFound);

const idleWithinMs = 3_000;

/** Loads the code of the pages for signed-in people before the first click. A failed load is repeated when needed. */
export async function prefetchPages(): Promise<void> {
  await whenIdle(idleWithinMs);
  for (const page of pages) if (page.access === 'user') page.prefetch?.().catch(() => {});
}
