import type { ReactNode } from 'react';
import type { PublicUser } from '#contract/account.ts';
import type { Address } from '#contract/addresses.ts';
import type { WallText } from '#contract/wall-texts.ts';
import type { OpenContext, PageModule } from '../forms/page-module.ts';
import type { OnDemand } from '../lib/on-demand.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import type { RemovedPost, Post } from '#contract/posts.ts';
import type { FoundList } from '../features/posts/store/fetch-post-page.ts';
import type { PostListId, PostStore } from '../features/posts/store/post-store.ts';
import type { Search } from '../features/search/load-search.ts';

/** The result of `load`. Posts go into the store; the page's component gets the rest. */
export interface Found {
  post?: Post;
  list?: FoundList;
  user?: PublicUser;
  /** The person's own posts that a moderator has removed. */
  removed?: readonly RemovedPost[];
  search?: Search;
  wallText?: WallText;
  /** The data of a page made for one person. */
  own?: OwnData;
  /** The message if `load` has failed on the server. */
  failed?: string;
  /** The server has answered that only signed-in people may read this. */
  secured?: true;
  /** The new address of the page, to which the server redirects. */
  movedTo?: string;
}

/** The person for whom a page is loaded. On the server it includes the context of `load`. */
export interface OwnRequest extends Pick<OpenContext, 'user' | 'settings' | 'knownPost'> {
  href: string;
  context?: Omit<OpenContext, 'params'>;
}

/** The data of a page of one person, and the address that it was loaded for. */
export interface OwnData {
  href: string;
  data: object;
}

/** The props of the page's component. */
export interface PageProps extends Omit<Found, 'post' | 'list' | 'secured' | 'movedTo' | 'failed'> {
  list?: PostListId;
}

type FoundFor<S extends PageProps> = Omit<S, 'list'> &
  Pick<Found, 'post' | 'secured'> &
  (S extends { list: PostListId } ? { list: FoundList } : Pick<Found, 'list'>);

/** The server's `call` runs its own handlers; the browser's goes over HTTP. */
export interface LoadRequest {
  call: CallEndpoint;
  /** The list continues after this cursor; null for its beginning. */
  cursor: string | null;
  /** The query of the search. */
  q: string;
  /** The reason why the server does not search for visitors now. */
  refusal?: string | undefined;
  /** The first page of the list has at least this many posts, or all of them, but no more than `limits.pageSizeMax`. */
  count: number;
  signal: AbortSignal;
  /** Given for a page made for one person. */
  own?: OwnRequest | undefined;
  /** The id of an author of whom the browser has a post: then the author's posts are requested at once. */
  authorId(username: string): string | undefined;
}

export interface Description {
  /** The page's first heading. */
  heading: string;
  /** The title of the page without the name of the site; the heading unless set. */
  title?: string;
}

/** A page of the site. Objects of this type are listed in `web/pages/pages.ts`. */
export interface Page<P = object, S extends PageProps = PageProps> {
  address: Address<P>;
  /** `user`: only for signed-in people. The HTML that visitors get for such a page is a skeleton. */
  access: 'public' | 'user';
  /** Finds what the page shows. Returns null or fails with NOT_FOUND when there is nothing at the address. */
  load?(params: P, request: LoadRequest): Promise<FoundFor<S> | Required<Pick<Found, 'movedTo'>> | null>;
  /** `shown` is null until the page has been loaded. */
  describe(params: P, shown: S | null, store: PostStore): Description;
  /** Shown while the page is loading; the shape of a list of posts unless set. */
  skeleton?: ReactNode;
  /**
   * Shown at once instead of the skeleton if `canPreview` says that the store has the main thing on the page. `failure` is shown
   * in place of the rest of the page if that could not be loaded.
   */
  Preview?(props: { params: P; failure?: ReactNode }): ReactNode;
  canPreview?(params: P, store: PostStore): boolean;
  Component(props: S & { params: P }): ReactNode;
  /**
   * A frame around the page in all its states, which stays while another address of the page is loading. `shown` is null while it
   * is loading. `asksToSignIn`: the reader has to sign in to see more.
   */
  Frame?(props: { shown: S | null; asksToSignIn: boolean; children: ReactNode }): ReactNode;
  /** A form of the page has a text, so the server accepts a larger form than usual. */
  writesText?: true | undefined;
  /** The page is the sign-in. */
  isEntrance?: true | undefined;
  /** The module of a page made for one person. The server renders it as well. */
  module?: OnDemand<PageModule>;
  /** The page that is shown when `load` finds nothing. */
  missing?: Page | undefined;
  /** Fetches the code of the page if it is not part of the first load. A public page is hydrated after it. */
  prefetch?(): Promise<unknown>;
}

export interface MatchedPage {
  page: Page;
  params: object;
}

export type MatchPage = (path: string) => MatchedPage;

export function pageMatcher(pages: readonly Page[], notFound: Page): MatchPage {
  return (path) => {
    for (const page of pages) {
      const params = page.address.match(path);
      if (params) return { page, params };
    }
    return { page: notFound, params: {} };
  };
}
