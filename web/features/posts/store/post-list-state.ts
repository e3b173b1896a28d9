import type { NotificationKind } from '#contract/notification-words.ts';
import type { BestPeriod, Post, PostPage, QuotedPost } from '#contract/posts.ts';
import {
  openedThread,
  withBranches,
  withOwnReply,
  withoutReply,
  type OpenedThread,
  type Thread,
  type ThreadOrder,
} from './thread-tree.ts';

/** The parts of the texts that match a search, by post: begin and end in UTF-16 units. */
type Highlights = Readonly<Record<string, readonly Highlight[]>>;

export type Highlight = readonly [start: number, end: number];

/** The notes of a list about its discussions or notifications. */
export type PostMarks = Readonly<Record<string, PostMark>>;

interface PostMark {
  /** The number of replies that the reader has not read in a discussion that they follow. */
  news?: number;
  /** Whether the notification is unread. */
  isUnread?: boolean;
}

/** A page of a list. The page of a discussion has the posts of the response and, in `thread`, the tree of their ids. */
export interface ListPage extends PostPage {
  marks?: PostMarks;
  thread?: OpenedThread;
  highlights?: Highlights;
  /** The list of notifications also has the kind of each, the root posts of their discussions, and the number of unread ones. */
  kinds?: readonly NotificationKind[];
  words?: ReadonlyArray<string | null>;
  roots?: readonly QuotedPost[];
  unread?: number;
}

export type PostListSource =
  | { kind: 'feed' | 'discussed' | 'following' | 'saved' | 'liked' | 'own-replies' | 'notifications' }
  | { kind: 'best'; period: BestPeriod }
  | { kind: 'user' | 'user-replies'; userId: string }
  | { kind: 'search'; q: string }
  | { kind: 'thread'; postId: string; order: ThreadOrder };

/** A post that waits to be shown. */
export interface FreshPost {
  id: string;
  ownerId: string;
}

export interface PostList {
  readonly source: PostListSource;
  /** The discussion of a post, whose rows are the list's posts. */
  readonly thread?: Thread;
  /** `added`, newest first, then `fetched`. */
  readonly ids: readonly string[];
  readonly added: readonly string[];
  readonly fetched: readonly string[];
  /** New posts that wait until the reader asks for them, so that nothing moves while they read. */
  readonly fresh: readonly FreshPost[];
  readonly total: number;
  /** The posts above a list that begins further down; undefined if it begins with the newest post. */
  readonly above?: Above | undefined;
  /** The number of loaded pages. */
  readonly pages: number;
  /** The cursor after the last post received, null at the end. */
  readonly next: string | null;
  readonly loading: boolean;
  readonly marks?: PostMarks | undefined;
  /** The highlights in the results of a search. */
  readonly highlights?: Highlights | undefined;
  /** How many notifications were unread when the list was opened. */
  readonly unread?: number | undefined;
  /** The pinned post above the feed. */
  readonly pinned?: Post | null | undefined;
  /** Why the next page could not be loaded, fit to show. */
  readonly failure: string | null;
  /** The list may have changed without an event: it is loaded again when it is on screen. */
  readonly stale: boolean;
}

/** The newer posts above a list that begins further down. */
interface Above {
  /** The post that the list was loaded from. */
  readonly from: string;
  /** The cursor before the first post received, null when there is nothing newer. */
  readonly cursor: string | null;
  /** How many posts there are above the first one. */
  readonly count: number;
  /** The newest post that was known when the list was loaded. Newer ones wait to be shown. */
  readonly newest: string;
}

/** The data of an event about a new post. */
export interface NewPost extends FreshPost {
  repliedPostId: string | null;
}

export const postGone = 'Сообщение не найдено';

type Parts = Pick<PostList, 'added' | 'fetched' | 'fresh'>;

/** Computes `ids`, without duplicates, and removes shown posts from `fresh`. */
export function withParts(list: PostList, { added, fetched, fresh }: Partial<Parts>): PostList {
  const nowAdded = added ?? list.added;
  const ids = [...new Set([...nowAdded, ...(fetched ?? list.fetched)])];
  const shown = new Set(ids);
  return {
    ...list,
    ids,
    added: nowAdded,
    fetched: ids.slice(nowAdded.length),
    fresh: (fresh ?? list.fresh).filter(({ id }) => !shown.has(id)),
  };
}

/** The notes of a list, with those of a page. */
export const marksWith = (list: PostList, page: ListPage): PostMarks => ({ ...list.marks, ...page.marks });

export function openedList(source: PostListSource, page: ListPage): PostList {
  const empty: PostList = {
    source,
    ids: [],
    added: [],
    fetched: [],
    fresh: [],
    total: page.total,
    pages: 1,
    next: page.next,
    highlights: page.highlights,
    marks: page.marks,
    pinned: page.pinned,
    unread: page.unread,
    loading: false,
    failure: null,
    stale: false,
  };
  return page.thread ? withThread(empty, openedThread(page.thread)) : withParts(empty, { fetched: idsOf(page) });
}

/** The rows of the discussion are the list's posts. */
export function withThread(list: PostList, thread: Thread): PostList {
  return { ...list, thread, ids: thread.rows.map(({ id }) => id) };
}

function withoutInThread(list: PostList, thread: Thread, id: string): PostList {
  const fresh = list.fresh.filter((post) => post.id !== id);
  const isDirect = thread.nodes.get(id)?.parent === thread.postId;
  return {
    ...withThread(list, withoutReply(thread, id)),
    fresh,
    total: Math.max(0, list.total - (isDirect ? 1 : 0)),
  };
}

/** Adds the person's own reply where it belongs in the discussion, unless that is on a later page. */
export function withOwn(list: PostList, thread: Thread, id: string, repliedPostId: string): PostList {
  if (repliedPostId === thread.postId && thread.order === 'oldest' && list.next !== null) return list;
  const total = list.total + (repliedPostId === thread.postId && !thread.nodes.has(id) ? 1 : 0);
  const isOther = (reply: { id: string }) => reply.id !== id;
  const others = { unloaded: thread.unloaded.filter(isOther), waiting: thread.waiting.filter(isOther) };
  const shown = withThread(list, withOwnReply({ ...thread, ...others }, id, repliedPostId));
  return { ...shown, fresh: list.fresh.filter(isOther), total };
}

/** Appends a page. Posts that the list already contains stay where they are. */
export function withPage(list: PostList, page: ListPage): PostList {
  const { thread } = list;
  const longer =
    thread && page.thread
      ? withThread(list, withBranches(thread, thread.postId, page.thread.replies))
      : withParts(list, { fetched: [...list.fetched, ...idsOf(page)] });
  const highlights = { ...list.highlights, ...page.highlights };
  return {
    ...longer,
    highlights,
    marks: marksWith(list, page),
    total: page.total,
    pages: list.pages + 1,
    next: page.next,
    loading: false,
  };
}

/** Adds a post that was written here on top, unless the list contains it. */
export function withAdded(list: PostList, id: string): PostList {
  if (list.ids.includes(id)) return list;
  return { ...withParts(list, { added: [id, ...list.added] }), total: list.total + 1 };
}

export function without(list: PostList, id: string): PostList {
  if (list.thread) return withoutInThread(list, list.thread, id);
  const others = (ids: readonly string[]) => ids.filter((other) => other !== id);
  const waiting = list.fresh.filter((post) => post.id !== id);
  if (!list.ids.includes(id)) return waiting.length < list.fresh.length ? { ...list, fresh: waiting } : list;
  const rest = withParts(list, { added: others(list.added), fetched: others(list.fetched) });
  return { ...rest, total: Math.max(0, list.total - 1) };
}

/**
 * Whether a list is in the order of ids, which is the order of writing. Liked posts and discussions are not. Notifications count as such a
 * list, although their order may differ from that of ids.
 */
export const isByTime = ({ source: { kind } }: PostList): boolean =>
  !['liked', 'saved', 'thread', 'discussed', 'following', 'best'].includes(kind);

/** Whether a new post belongs in the list. `me` is the id of the signed-in person. */
export function belongsIn({ source }: PostList, post: NewPost, me: string | null): boolean {
  switch (source.kind) {
    case 'feed':
      return post.repliedPostId === null;
    case 'user':
      return post.repliedPostId === null && post.ownerId === source.userId;
    case 'user-replies':
      return post.repliedPostId !== null && post.ownerId === source.userId;
    case 'own-replies':
      return post.repliedPostId !== null && post.ownerId === me;
    case 'liked':
    case 'saved':
    // A job decides which posts are the best.
    case 'best':
    // Replies move a discussion to the top of these lists.
    case 'discussed':
    case 'following':
    // Only the server knows whether a post matches.
    case 'search':
    // Replies are added to the tree of the discussion.
    case 'thread':
    // Events contain only the number of unread notifications.
    case 'notifications':
      return false;
  }
}

export const idsOf = (page: PostPage): string[] => page.posts.map(({ id }) => id);
