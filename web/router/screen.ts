import type { PublicUser } from '#contract/account.ts';
import type { HiddenPost } from '#contract/posts.ts';
import type { PostListId, PostStore } from '../posts/post-store.ts';
import type { FoundContent } from './load-content.ts';
import {
  type EmailUndoRoute,
  isSecured,
  matchRoute,
  type PersonalRoute,
  type Route,
  type SecuredRoute,
} from './routes.ts';

/** What a page shows. Posts stand in the store; here are only their ids. */
export type View =
  | { kind: 'feed'; list: PostListId }
  | { kind: 'post'; id: string; list: PostListId }
  | { kind: 'user'; user: PublicUser; list: PostListId }
  | { kind: 'personal'; of: PersonalRoute; list: PostListId; hidden: readonly HiddenPost[] }
  | { kind: 'post-not-found'; id: string }
  | { kind: 'email-undo'; outcome: EmailUndoRoute['outcome'] }
  | { kind: 'not-found' }
  /** A page for signed-in people before anything of theirs was asked for, and that page where nobody is. */
  | { kind: 'secured'; of: SecuredRoute }
  | { kind: 'sign-in-needed' }
  /** A page for signed-in people while it cannot be found out who is here. */
  | { kind: 'session-failed'; of: SecuredRoute; message: string }
  | { kind: 'loading'; of: Route }
  | { kind: 'failed'; message: string };

const passing = new Set<View['kind']>(['loading', 'failed', 'secured']);

/** Views that hold nothing to come back to: they are loaded again. */
export const isPassing = ({ kind }: View): boolean => passing.has(kind);

/** One visit to an address. Coming back to it brings the same screen again. */
export interface Screen {
  readonly path: string;
  readonly view: View;
}

/** Puts what arrived into the store and names what to show of it. */
export function viewOf(content: FoundContent, path: string, store: PostStore): View {
  switch (content.kind) {
    case 'feed':
      return { kind: 'feed', list: store.openList({ kind: 'feed' }, content.page) };
    case 'post': {
      const { post, replies } = content;
      store.keepPost(post);
      const list = store.openList({ kind: 'replies', postId: post.id }, replies);
      return { kind: 'post', id: post.id, list };
    }
    case 'user': {
      const { user, page } = content;
      return { kind: 'user', user, list: store.openList({ kind: 'user', userId: user.id }, page) };
    }
    case 'personal':
      return {
        kind: 'personal',
        of: content.of,
        list: store.openList(content.source, content.page),
        hidden: content.hidden,
      };
    case 'secured': {
      const of = matchRoute(path);
      return isSecured(of) ? { kind: 'secured', of } : { kind: 'not-found' };
    }
    case 'post-not-found': {
      const route = matchRoute(path);
      return { kind: 'post-not-found', id: route.name === 'post' ? route.id : '' };
    }
    case 'email-undo': {
      const route = matchRoute(path);
      return route.name === 'email-undo' ? { kind: 'email-undo', outcome: route.outcome } : { kind: 'not-found' };
    }
    case 'not-found':
      return content;
  }
}

/** The list a view holds on to. */
export function listOf(view: View): PostListId | null {
  return 'list' in view ? view.list : null;
}
