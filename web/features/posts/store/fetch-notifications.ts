import type { CallEndpoint } from '#contract/endpoint.ts';
import { listNotifications, type NotificationKind } from '#contract/notifications.ts';
import type { QuotedPost } from '#contract/posts.ts';
import { createObservable } from '../../../lib/observable.ts';
import type { ListPage } from './post-list-state.ts';

/** The number of unread notifications, the same on all of the person's devices. */
export const unreadNotifications = createObservable(0);

/** The data of notifications besides their posts. It is the same in every list of them. */
const kinds = new Map<string, NotificationKind>();
const roots = new Map<string, QuotedPost>();

export const kindOf = (id: string): NotificationKind => kinds.get(id) ?? 'answer';

/** The root post of a discussion as it was when the notifications were loaded; undefined if it was gone. */
export const rootOf = (id: string): QuotedPost | undefined => roots.get(id);

export async function fetchNotifications(
  call: CallEndpoint,
  paging: { page: string; limit: string; cursor?: string },
  signal: AbortSignal,
): Promise<ListPage> {
  const page = await call(listNotifications, { query: paging, signal });
  page.posts.forEach(({ id, actions }, index) => {
    kinds.set(id, page.kinds[index]!);
    roots.delete(actions.parent_post_id ?? id);
  });
  for (const root of page.roots) roots.set(root.id, root);
  // Later pages are ignored: their count may include notifications above the list that have not arrived yet.
  if (paging.cursor === undefined) unreadNotifications.set(page.unread);
  return page;
}
