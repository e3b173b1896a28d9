import { getUser } from '#contract/account.ts';
import type { PageContent } from '#contract/page.ts';
import { getPost, type HiddenPost, type PostPage } from '#contract/posts.ts';
import type { Session } from '../auth/session.ts';
import { fetchHidden, isReply } from '../hidden/fetch-hidden.ts';
import { ApiError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';
import { fetchPostPage } from '../posts/fetch-post-page.ts';
import type { PostListSource } from '../posts/post-list-state.ts';
import type { PersonalRoute, Route } from './routes.ts';

/** What the server never finds: it does not know whose page it sends. */
interface PersonalContent {
  kind: 'personal';
  of: PersonalRoute;
  source: PostListSource;
  page: PostPage;
  /** What would stand there as well, had the operator not hidden it. */
  hidden: readonly HiddenPost[];
}

export type FoundContent = PageContent | PersonalContent;

interface Search {
  cursor: string | null;
  /** How many posts of a list to begin with. */
  limit: number;
  signal: AbortSignal;
  session: Session;
}

/** Finds for a route what the server would have found for it, and what is the reader's own. */
export async function loadContent(route: Route, { cursor, limit, signal, session }: Search): Promise<FoundContent> {
  const first = { page: 1, cursor, limit, signal };
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
    case 'liked':
    case 'own-posts':
    case 'own-replies':
    case 'answers': {
      const reader = await session.known();
      if (reader.is !== 'authorized') return { kind: 'secured' };
      const source = sourceOf(route, reader.user.id);
      const [page, hidden] = await Promise.all([fetchPostPage(source, first), hiddenOf(route, signal)]);
      return { kind: 'personal', of: route, source, page, hidden };
    }
    case 'settings':
    case 'settings-email':
    case 'settings-username':
    case 'settings-deletion':
    case 'settings-devices':
    case 'settings-muted':
      return { kind: 'secured' };
    case 'email-undo':
      return { kind: 'email-undo' };
    case 'not-found':
      return { kind: 'not-found' };
  }
}

/** The list that a page shows. */
export function listIn(content: FoundContent): { source: PostListSource; page: PostPage } | null {
  switch (content.kind) {
    case 'feed':
      return { source: { kind: 'feed' }, page: content.page };
    case 'post':
      return { source: { kind: 'replies', postId: content.post.id }, page: content.replies };
    case 'user':
      return { source: { kind: 'user', userId: content.user.id }, page: content.page };
    case 'personal':
      return content;
    case 'secured':
    case 'email-undo':
    case 'post-not-found':
    case 'not-found':
      return null;
  }
}

async function hiddenOf({ name }: PersonalRoute, signal: AbortSignal): Promise<HiddenPost[]> {
  if (name === 'own-posts') return fetchHidden((post) => !isReply(post), signal);
  return name === 'own-replies' ? fetchHidden(isReply, signal) : [];
}

function sourceOf({ name }: PersonalRoute, userId: string): PostListSource {
  return name === 'own-posts' ? { kind: 'user', userId } : { kind: name };
}

async function orMissing<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
