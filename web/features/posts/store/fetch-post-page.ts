import type { CallEndpoint } from '#contract/calls.ts';
import { limits } from '#contract/limits.ts';
import type { Post, Thread, ThreadNode } from '#contract/posts.ts';
import { call as callOverHttp } from '../../../lib/api.ts';
import { isNotFound } from '../../../lib/explain-error.ts';
import type { ListPage, PostListSource } from './post-list-state.ts';
import type { Branch, ThreadOrder } from './thread-tree.ts';

interface PageRequest {
  /** Counted from 1. */
  page: number;
  /** The end of the previous page. The server uses the cursor; the page number is informative. */
  cursor: string | null;
  limit?: number;
  signal: AbortSignal;
  call?: CallEndpoint;
}

export interface FoundList {
  source: PostListSource;
  page: ListPage;
}

/** The results of a search. */
export interface FoundPage extends ListPage {
  corrected: string | null;
  unknownAuthor: string | null;
}

interface ListRequest extends Omit<PageRequest, 'page' | 'limit'> {
  /** The page has at least this many posts, or all posts of the list, but no more than `limits.pageSizeMax`. */
  count: number;
}

interface CursorQuery {
  limit: string;
  cursor?: string;
  aside?: 'true';
}

type Paging = CursorQuery & { page: string };

/** The first posts of a list, for the `load` of a page. */
export async function loadList(source: PostListSource, { count, ...request }: ListRequest): Promise<FoundList> {
  return { source, page: await fetchPostPage(source, { page: 1, limit: limitFor(count), ...request }) };
}

export async function fetchPostPage(source: PostListSource, request: PageRequest): Promise<ListPage> {
  const { page, cursor, limit = limits.pageSize, signal, call = callOverHttp } = request;
  const part = { limit: String(limit), ...(cursor !== null && { cursor }) };
  const paging = { page: String(page), ...part };
  const aside = cursor === null && hasRightColumn() && ({ aside: 'true' } as const);
  switch (source.kind) {
    case 'feed':
      return call('GET /posts', { query: { ...paging, ...aside }, signal });
    case 'discussed':
      return fetchDiscussed(call, { ...part, ...aside }, signal);
    case 'best':
      return {
        ...(await call('GET /posts/best', { query: { ...part, period: source.period }, signal })),
        ...uncounted,
      };
    case 'saved':
      return { ...(await call('GET /users/current/bookmarks', { query: part, signal })), ...uncounted };
    case 'following':
      return fetchFollowing(call, { ...part, ...aside }, signal);
    case 'liked':
      return call('GET /posts', { query: { ...paging, filter: 'liked' }, signal });
    case 'own-replies':
      return call('GET /posts/replies', { query: paging, signal }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        return { posts: [], next: null, ...uncounted, total: 0 };
      });
    case 'notifications':
      return fetchNotifications(call, paging, signal);
    case 'user':
      return call('GET /posts', { query: { ...paging, userId: source.userId }, signal });
    case 'user-replies':
      return call('GET /posts', { query: { ...paging, userId: source.userId, filter: 'replies' }, signal });
    case 'search':
      return fetchFound(call, { ...paging, q: source.q }, signal);
    case 'thread':
      return fetchThread(call, source, paging, signal);
  }
}

/** Whether the window has room for the right column, at the same width as in the style sheet. True on the server, whose HTML is for any width. */
export const hasRightColumn = (): boolean => globalThis.matchMedia?.('(width >= 1060px)').matches ?? true;

/** The paging of a list whose total is not known. */
const uncounted = { firstPage: 1, lastPage: 1, total: -1, previous: null };

async function fetchDiscussed(call: CallEndpoint, query: CursorQuery, signal: AbortSignal): Promise<ListPage> {
  return { ...(await call('GET /posts/discussed', { query, signal })), ...uncounted };
}

async function fetchFollowing(call: CallEndpoint, query: CursorQuery, signal: AbortSignal): Promise<ListPage> {
  const { discussions, ...rest } = await call('GET /users/current/following', { query, signal });
  const marks = Object.fromEntries(discussions.map(({ post, new_count: news }) => [post.id, { news }]));
  return { posts: discussions.map(({ post }) => post), marks, ...rest, ...uncounted };
}

async function fetchNotifications(call: CallEndpoint, query: Paging, signal: AbortSignal): Promise<ListPage> {
  const { news, ...page } = await call('GET /users/current/notifications', { query, signal });
  return { ...page, marks: Object.fromEntries(page.posts.map(({ id }, i) => [id, { isUnread: news[i]! }])) };
}

async function fetchFound(
  call: CallEndpoint,
  { q, limit, cursor }: { q: string; limit: string; cursor?: string },
  signal: AbortSignal,
): Promise<FoundPage> {
  const query = { q, limit, ...(cursor !== undefined && { cursor }) };
  const { posts, next, highlights, corrected, unknown_author } = await call('GET /posts/search', { query, signal });
  return {
    posts,
    next,
    previous: null,
    corrected,
    unknownAuthor: unknown_author,
    firstPage: 1,
    lastPage: 1,
    total: 0,
    highlights: Object.fromEntries(posts.map(({ id }, index) => [id, highlights[index] ?? []])),
  };
}

async function fetchThread(
  call: CallEndpoint,
  { postId, order }: PostListSource & { kind: 'thread' },
  { limit, cursor }: Paging,
  signal: AbortSignal,
): Promise<ListPage> {
  const query = { order, limit, ...(cursor !== undefined && { cursor }) };
  const params = { id: postId };
  const thread = await call('GET /posts/{id}/thread', { params, query, signal }).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    // Only a missing post is an error. If the post itself is found, its discussion is shown as empty.
    const post = await call('GET /posts/{id}', { params, signal });
    return { ancestors: [], skipped: 0, post, replies: [], total: 0, next: null };
  });
  return threadPage(thread, postId, order);
}

export function threadPage(response: Thread, postId: string, order: ThreadOrder): ListPage {
  const { ancestors, skipped, post, total, next } = response;
  const posts: Post[] = [...ancestors, post];
  const branch = ({ id, post: reply, replies, more }: ThreadNode): Branch => {
    if (reply) posts.push(reply);
    return { id, gone: reply === null, replies: replies.map(branch), more };
  };
  const thread = {
    postId,
    order,
    ancestors: ancestors.map(({ id }) => id),
    skipped,
    replies: response.replies.map(branch),
  };
  return { posts, firstPage: 1, lastPage: 1, total, next, previous: null, thread };
}

/** The limit for a request of at least `count` posts: whole pages, up to the server's maximum. */
export const limitFor = (count: number): number =>
  Math.min(limits.pageSizeMax, Math.max(1, Math.ceil(count / limits.pageSize)) * limits.pageSize);
