import { getUser } from '#contract/account.ts';
import type { PageContent } from '#contract/page.ts';
import { getPost } from '#contract/posts.ts';
import { ApiError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';
import { fetchPostPage } from '../posts/fetch-post-page.ts';
import type { Route } from './routes.ts';

/** Finds for a route what the server would have found for it. */
export async function loadContent(route: Route, cursor: string | null, signal: AbortSignal): Promise<PageContent> {
  const first = { page: 1, cursor, signal };
  switch (route.name) {
    case 'feed':
      return { kind: 'feed', page: await fetchPostPage({ kind: 'feed' }, first) };
    case 'post': {
      const [post, replies] = await Promise.all([
        orMissing(call(getPost, { params: { id: route.id }, signal })),
        fetchPostPage({ kind: 'replies', postId: route.id }, first),
      ]);
      return post ? { kind: 'post', post, replies } : { kind: 'post-not-found' };
    }
    case 'user': {
      const user = await orMissing(call(getUser, { params: { username: route.username }, signal }));
      if (!user) return { kind: 'not-found' };
      return { kind: 'user', user, page: await fetchPostPage({ kind: 'user', userId: user.id }, first) };
    }
    case 'settings':
      return { kind: 'secured' };
    case 'not-found':
      return { kind: 'not-found' };
  }
}

async function orMissing<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
