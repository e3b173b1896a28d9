import type { CacheSnapshot } from 'virtua';
import type { Post, PostPage, QuotedPost } from '#contract/posts.ts';

export type PostListSource = { kind: 'feed' } | { kind: 'user'; userId: string } | { kind: 'replies'; postId: string };

export interface PostList {
  readonly source: PostListSource;
  readonly ids: readonly string[];
  readonly total: number;
  /** How many pages have come. */
  readonly pages: number;
  /** The cursor after the last post received, null at the end. */
  readonly next: string | null;
  readonly loading: boolean;
  /** Why the next page did not come, fit to show. */
  readonly failure: string | null;
}

export type PostListId = number;

/** Posts by id, once each, and lists that hold ids: what changes in a post changes everywhere at once. */
export function createPostStore() {
  const posts = new Map<string, Post>();
  const lists = new Map<PostListId, PostList>();
  const heights = new Map<PostListId, CacheSnapshot>();
  const listeners = new Set<() => void>();
  let lastListId: PostListId = 0;

  function changed(): void {
    for (const listener of listeners) listener();
  }

  function keep(post: Post): void {
    const answered = post.actions.replied_post;
    if (answered) keepQuoted(answered);
    posts.set(post.id, post);
  }

  /** A quoted post comes without the post it answers: what is known of that stays. */
  function keepQuoted(quoted: QuotedPost): void {
    const known = posts.get(quoted.id)?.actions.replied_post ?? null;
    posts.set(quoted.id, { ...quoted, actions: { ...quoted.actions, replied_post: known } });
  }

  function update(id: PostListId, change: (list: PostList) => Partial<PostList>): void {
    const list = lists.get(id);
    if (!list) return;
    lists.set(id, { ...list, ...change(list) });
    changed();
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    post: (id: string): Post | undefined => posts.get(id),

    list: (id: PostListId): PostList | undefined => lists.get(id),

    keepPost(post: Post): void {
      keep(post);
      changed();
    },

    openList(source: PostListSource, page: PostPage): PostListId {
      const id = ++lastListId;
      page.posts.forEach(keep);
      const ids = [...new Set(page.posts.map((post) => post.id))];
      lists.set(id, { source, ids, total: page.total, pages: 1, next: page.next, loading: false, failure: null });
      changed();
      return id;
    },

    /** Posts the list has already are dropped silently: new ones above push old ones onto the next page. */
    appendPage(id: PostListId, page: PostPage): void {
      page.posts.forEach(keep);
      update(id, (list) => ({
        ids: [...new Set([...list.ids, ...page.posts.map((post) => post.id)])],
        total: page.total,
        pages: list.pages + 1,
        next: page.next,
        loading: false,
      }));
    },

    beginLoading: (id: PostListId): void => update(id, () => ({ loading: true, failure: null })),

    /** Without a failure: the reader went away. */
    endLoading: (id: PostListId, failure: string | null): void => update(id, () => ({ loading: false, failure })),

    /** The measured heights of a list's rows; with them Back finds the same scroll position. */
    heights: (id: PostListId): CacheSnapshot | undefined => heights.get(id),

    keepHeights(id: PostListId, snapshot: CacheSnapshot): void {
      heights.set(id, snapshot);
    },

    /** Forgets every list that nobody can come back to. */
    keepOnlyLists(ids: ReadonlySet<PostListId>): void {
      for (const id of lists.keys()) {
        if (ids.has(id)) continue;
        lists.delete(id);
        heights.delete(id);
      }
    },
  };
}

export type PostStore = ReturnType<typeof createPostStore>;
