import type { PostPage } from '#contract/posts.ts';

export type PostListSource =
  | { kind: 'feed' | 'liked' | 'own-replies' | 'answers' }
  | { kind: 'user'; userId: string }
  | { kind: 'replies'; postId: string };

/** A post that waits to be shown. */
export interface FreshPost {
  id: string;
  ownerId: string;
}

export interface PostList {
  readonly source: PostListSource;
  /** What stands in the list: what was added here, newest first, then what came from the server. */
  readonly ids: readonly string[];
  readonly added: readonly string[];
  readonly fetched: readonly string[];
  /** New posts that have been heard of and wait to be shown: nothing moves under a reader's eyes. */
  readonly fresh: readonly FreshPost[];
  readonly total: number;
  /** How many pages have come. */
  readonly pages: number;
  /** The cursor after the last post received, null at the end. */
  readonly next: string | null;
  readonly loading: boolean;
  /** Why the next page did not come, fit to show. */
  readonly failure: string | null;
  /** Something may have happened that nobody told: it is to be read anew once it is on screen. */
  readonly stale: boolean;
}

/** What is said of a post that has just come to be. */
export interface NewPost extends FreshPost {
  repliedPostId: string | null;
}

/** Told to whoever added it, as it stands. */
export class DuplicatePostError extends Error {
  constructor(id: string) {
    super(`Пост с id=${id} уже существует`);
  }
}

type Parts = Pick<PostList, 'added' | 'fetched' | 'fresh'>;

/** A list never shows a post twice, and never announces one that it shows. */
function settled(list: PostList, { added, fetched, fresh }: Partial<Parts>): PostList {
  const ofHere = added ?? list.added;
  const ids = [...new Set([...ofHere, ...(fetched ?? list.fetched)])];
  const shown = new Set(ids);
  return {
    ...list,
    ids,
    added: ofHere,
    fetched: ids.slice(ofHere.length),
    fresh: (fresh ?? list.fresh).filter(({ id }) => !shown.has(id)),
  };
}

export function openedList(source: PostListSource, page: PostPage): PostList {
  const empty: PostList = {
    source,
    ids: [],
    added: [],
    fetched: [],
    fresh: [],
    total: page.total,
    pages: 1,
    next: page.next,
    loading: false,
    failure: null,
    stale: false,
  };
  return settled(empty, { fetched: idsOf(page) });
}

/** Posts the list has already are dropped silently: new ones above push old ones onto the next page. */
export function withPage(list: PostList, page: PostPage): PostList {
  const longer = settled(list, { fetched: [...list.fetched, ...idsOf(page)] });
  return { ...longer, total: page.total, pages: list.pages + 1, next: page.next, loading: false };
}

/** Puts what was written here on top. */
export function withAdded(list: PostList, id: string): PostList {
  if (list.added.includes(id)) throw new DuplicatePostError(id);
  if (list.fetched.includes(id)) return list;
  return { ...settled(list, { added: [id, ...list.added] }), total: list.total + 1 };
}

export function without(list: PostList, id: string): PostList {
  const others = (ids: readonly string[]) => ids.filter((other) => other !== id);
  const waiting = list.fresh.filter((post) => post.id !== id);
  if (!list.ids.includes(id)) return waiting.length < list.fresh.length ? { ...list, fresh: waiting } : list;
  const rest = settled(list, { added: others(list.added), fetched: others(list.fetched) });
  return { ...rest, total: Math.max(0, list.total - 1) };
}

/** Has a new post wait. One below all that came from the server is none: it comes with its page. */
export function withFresh(list: PostList, post: FreshPost): PostList {
  const last = list.next === null ? undefined : list.fetched.at(-1);
  const isBelow = last !== undefined && Number(post.id) < Number(last);
  const waits = list.fresh.some(({ id }) => id === post.id);
  return isBelow || waits ? list : settled(list, { fresh: [post, ...list.fresh] });
}

/**
 * Shows what waits, with the list's first page as it is now. Where the page does not reach down to what is shown, there
 * is more between them than is worth keeping: then the list begins anew. What was heard of since the page was read still
 * waits.
 */
export function withNewest(list: PostList, page: PostPage): PostList {
  const ids = idsOf(page);
  const known = new Set(list.fetched);
  const added = list.added.filter((id) => !ids.includes(id));
  const joined = page.next === null || ids.some((id) => known.has(id));
  const base = joined ? { ...list, total: page.total } : openedList(list.source, page);
  const newest = Math.max(0, ...ids.map(Number));
  return settled(base, {
    added: joined ? added : added.filter((id) => Number(id) > newest),
    fetched: joined ? [...ids, ...list.fetched] : ids,
    fresh: list.fresh.filter(({ id }) => Number(id) > newest),
  });
}

/** Takes in the first page, read once more: what the list does not show of it waits. */
export function reviewed(list: PostList, page: PostPage): PostList {
  const posts = page.posts.map(({ id, owner }) => ({ id, ownerId: owner.id }));
  return { ...posts.reduceRight(withFresh, list), total: page.total };
}

/** Of the posts that a list showed when its first page was asked for, those that should stand in the page and do not. */
export function missingIn(page: PostPage, shown: readonly string[]): string[] {
  const there = new Set(idsOf(page));
  const last = page.next === null ? 0 : Math.min(...idsOf(page).map(Number));
  return shown.filter((id) => Number(id) >= last && !there.has(id));
}

/** Lists by time of writing are lists by id; what one likes is not. */
export const isByTime = ({ source }: PostList): boolean => source.kind !== 'liked';

/** Whether a post that has just come to be belongs into the list; `me` is whoever is signed in. */
export function takes({ source }: PostList, post: NewPost, me: string | null): boolean {
  switch (source.kind) {
    case 'feed':
      return post.repliedPostId === null;
    case 'user':
      return post.repliedPostId === null && post.ownerId === source.userId;
    case 'replies':
      return post.repliedPostId === source.postId;
    case 'own-replies':
      return post.repliedPostId !== null && post.ownerId === me;
    case 'liked':
    // Of answers only their number is heard.
    case 'answers':
      return false;
  }
}

const idsOf = (page: PostPage): string[] => page.posts.map(({ id }) => id);
