import { limits } from '#contract/limits.ts';
import { listOwnReplies, listPosts, listReplies, type PostPage } from '#contract/posts.ts';
import { fetchAnswers } from '../answers/fetch-answers.ts';
import { ApiError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';
import type { PostListSource } from './post-list-state.ts';

interface PageRequest {
  /** Counted from 1. */
  page: number;
  /** Where the page before ended; it decides, the number is for the record. */
  cursor: string | null;
  limit?: number;
  signal: AbortSignal;
}

export async function fetchPostPage(source: PostListSource, request: PageRequest): Promise<PostPage> {
  const { page, cursor, limit = limits.pageSize, signal } = request;
  const paging = { page: String(page), limit: String(limit), ...(cursor === null ? {} : { cursor }) };
  switch (source.kind) {
    case 'feed':
      return call(listPosts, { query: paging, signal });
    case 'liked':
      return call(listPosts, { query: { ...paging, filter: 'liked' }, signal });
    case 'own-replies':
      return call(listOwnReplies, { query: paging, signal }).catch(emptyIfMissing);
    case 'answers':
      return fetchAnswers(paging, signal);
    case 'user':
      return call(listPosts, { query: { ...paging, userId: source.userId }, signal });
    case 'replies':
      return call(listReplies, { params: { id: source.postId }, query: paging, signal }).catch(emptyIfMissing);
  }
}

/** What to ask for so as to get so many posts: whole pages, as far as one answer goes. */
export const limitFor = (count: number): number =>
  Math.min(limits.pageSizeMax, Math.max(1, Math.ceil(count / limits.pageSize)) * limits.pageSize);

/** Replies of a post that is gone are an empty list: its own page says what happened to it. */
function emptyIfMissing(error: unknown): PostPage {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') {
    return { posts: [], firstPage: 1, lastPage: 1, total: 0, next: null };
  }
  throw error;
}
