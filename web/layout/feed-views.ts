/** The views of the wall, by the names of their routes. All but the feed are a signed-in person's own. */
export const feedViews = {
  feed: { path: '/', name: 'Новые' },
  liked: { path: '/liked', name: 'Понравившиеся' },
  'own-posts': { path: '/own/posts', name: 'Мои записи' },
  'own-replies': { path: '/own/replies', name: 'Мои ответы' },
} as const;

export type FeedView = (typeof feedViews)[keyof typeof feedViews];

/** The view that stands at a path; all other pages lie below one. */
export function feedViewAt(path: string): FeedView | undefined {
  return Object.values(feedViews).find((view) => view.path === path);
}
