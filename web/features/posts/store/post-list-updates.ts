import type { PostPage } from '#contract/posts.ts';
import {
  type FreshPost,
  idsOf,
  type ListPage,
  marksWith,
  openedList,
  type PostList,
  withParts,
} from './post-list-state.ts';

/** Adds a waiting post. Ignores a post that will arrive with a page below or above the loaded ones. */
export function withFresh(list: PostList, post: FreshPost): PostList {
  const last = list.next === null ? undefined : list.fetched.at(-1);
  const { above } = list;
  const isBelow = last !== undefined && Number(post.id) < Number(last);
  const isBetween = above !== undefined && Number(post.id) <= Number(above.newest);
  const waits = list.fresh.some(({ id }) => id === post.id);
  return isBelow || isBetween || waits ? list : withParts(list, { fresh: [post, ...list.fresh] });
}

/** Adds a discussion to the waiting ones when a new reply has moved it above the first one of the list. */
export function withLifted(list: PostList, id: string): PostList {
  const isKnown = list.ids[0] === id || list.fresh.some((waiting) => waiting.id === id);
  return isKnown ? list : { ...list, fresh: [{ id, ownerId: '' }, ...list.fresh] };
}

/**
 * Shows the waiting posts with the current first page of the list. If the page shares no post with the list, posts between them
 * are missing, so the list starts again with the page. Posts newer than the page still wait.
 */
export function withNewest(list: PostList, page: ListPage): PostList {
  const ids = idsOf(page);
  const known = new Set(list.fetched);
  const added = list.added.filter((id) => !ids.includes(id));
  const joined = page.next === null || ids.some((id) => known.has(id));
  const highlights = { ...list.highlights, ...page.highlights };
  const marks = marksWith(list, page);
  const base = joined
    ? { ...list, highlights, marks, total: page.total, above: undefined }
    : openedList(list.source, page);
  const newest = Math.max(0, ...ids.map(Number));
  return withParts(base, {
    added: joined ? added : added.filter((id) => Number(id) > newest),
    fetched: joined ? [...ids, ...list.fetched] : ids,
    fresh: list.fresh.filter(({ id }) => Number(id) > newest),
  });
}

/** Shows a list from a post further down: the page begins with that post or the next older one. */
export function withPlace(list: PostList, page: PostPage, from: string): PostList {
  const newest = String(Math.max(Number(from), ...[...list.ids, ...list.fresh.map(({ id }) => id)].map(Number)));
  const above = { from, cursor: page.previous, count: page.newer ?? 0, newest };
  return { ...openedList(list.source, page), fresh: list.fresh, above };
}

/** Adds the posts directly above the first one received. */
export function withNewerPage(list: PostList, page: PostPage): PostList {
  if (!list.above) return list;
  const count = page.previous === null ? 0 : Math.max(0, list.above.count - page.posts.length);
  const above = { ...list.above, cursor: page.previous, count };
  return { ...withParts(list, { fetched: [...idsOf(page), ...list.fetched] }), total: page.total, above };
}

/** Applies the first page, loaded again: posts the list does not show yet wait. */
export function withRefreshedPage(list: PostList, page: ListPage): PostList {
  const posts = page.posts.map(({ id, owner }) => ({ id, ownerId: owner.id }));
  return {
    ...posts.reduceRight(withFresh, list),
    marks: marksWith(list, page),
    total: page.total,
    pinned: page.pinned,
  };
}

/**
 * The posts of `shown` that belong in the range of the page but are not in it. `isByIds`: ids give the range. Otherwise the list is not in
 * the order of ids, such as the list of notifications, and positions give the range.
 */
export function missingIn(page: PostPage, shown: readonly string[], isByIds: boolean): string[] {
  const there = new Set(idsOf(page));
  const last = Math.min(...idsOf(page).map(Number));
  const lastShown = shown.findLastIndex((id) => there.has(id));
  const isCovered = (id: string, index: number): boolean =>
    page.next === null || (isByIds ? Number(id) >= last : index < lastShown);
  return shown.filter((id, index) => isCovered(id, index) && !there.has(id));
}
