import type { CallEndpoint } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { listOwnReplies, listPosts, listReplies, type PostPage } from '#contract/posts.ts';
import { listNotifications } from '#contract/notifications.ts';
import { isNotFound } from '../../../lib/api-error.ts';
import { call as callOverHttp } from '../../../lib/api.ts';
import { createObservable } from '../../../lib/observable.ts';
import type { PostListSource } from './post-list-state.ts';

type Paging = NonNullable<typeof listNotifications.call>['query'];

/** The number of unread notifications, the same on all of the person's devices. */
export const unreadNotifications = createObservable(0);

interface PageRequest {
  /** Counted from 1. */
  page: number;
  /** The end of the previous page. The server goes by it; the page number is informative. */
  cursor: string | null;
  limit?: number;
  signal: AbortSignal;
  call?: CallEndpoint;
}

export async function fetchPostPage(source: PostListSource, request: PageRequest): Promise<PostPage> {
  const { page, cursor, limit = limits.pageSize, signal, call = callOverHttp } = request;
  const paging: Paging = { page: String(page), limit: String(limit), ...(cursor === null ? {} : { cursor }) };
  switch (source.kind) {
    case 'feed':
      return call(listPosts, { query: paging, signal });
    case 'liked':
      return call(listPosts, { query: { ...paging, filter: 'liked' }, signal });
    case 'own-replies':
      return call(listOwnReplies, { query: paging, signal }).catch(emptyIfMissing);
    case 'notifications':
      return fetchNotifications(call, paging, signal);
    case 'user':
      return call(listPosts, { query: { ...paging, userId: source.userId }, signal });
    case 'user-replies':
      return call(listPosts, { query: { ...paging, userId: source.userId, filter: 'replies' }, signal });
    case 'replies':
      return call(listReplies, { params: { id: source.postId }, query: paging, signal }).catch(emptyIfMissing);
  }
}

async function fetchNotifications(call: CallEndpoint, query: Paging, signal: AbortSignal): Promise<PostPage> {
  const page = await call(listNotifications, { query, signal });
  // Later pages are ignored: their count may include notifications above the list that have not arrived yet.
  if (query.cursor === undefined) unreadNotifications.set(page.unread);
  return page;
}

/** The limit for a request of at least `count` posts: whole pages, up to the server's maximum. */
export const limitFor = (count: number): number =>
  Math.min(limits.pageSizeMax, Math.max(1, Math.ceil(count / limits.pageSize)) * limits.pageSize);

/** The replies to a deleted post are an empty list: the page of the post says that it is deleted. */
function emptyIfMissing(error: unknown): PostPage {
  if (!isNotFound(error)) throw error;
  return { posts: [], firstPage: 1, lastPage: 1, total: 0, next: null };
}
