import { addresses } from '#contract/addresses.ts';

/** The views of the feed. All but the first show a signed-in person's own posts. */
export const feedViews = {
  feed: { path: addresses.feed.href(), name: 'Новые' },
  liked: { path: addresses.liked.href(), name: 'Понравившиеся' },
  ownPosts: { path: addresses.ownPosts.href(), name: 'Мои записи' },
  ownReplies: { path: addresses.ownReplies.href(), name: 'Мои ответы' },
} as const;

export type FeedView = (typeof feedViews)[keyof typeof feedViews];

/** The view at a path, of the feed also at its tabs; undefined for the other pages. */
export function feedViewAt(path: string): FeedView | undefined {
  const isTab = path === addresses.discussed.path || path === addresses.following.path;
  return isTab ? feedViews.feed : Object.values(feedViews).find((view) => view.path === path);
}
