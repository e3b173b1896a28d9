import type { CacheSnapshot } from 'virtua';
import type { Changes } from '#contract/events.ts';
import type { Post, PostPage, QuotedPost } from '#contract/posts.ts';
import {
  idsOf,
  isByTime,
  openedList,
  reviewed,
  takes,
  withAdded,
  withFresh,
  withNewest,
  without,
  withPage,
  type NewPost,
  type PostList,
  type PostListSource,
} from './post-list-state.ts';

export type PostListId = number;

/** Posts by id, once each, and lists that hold ids: what changes in a post changes everywhere at once. */
export function createPostStore() {
  const posts = new Map<string, Post>();
  /** Deleted: an answer that was under way must not bring them back. */
  const gone = new Set<string>();
  const lists = new Map<PostListId, PostList>();
  const heights = new Map<PostListId, CacheSnapshot>();
  const listeners = new Set<() => void>();
  let lastListId: PostListId = 0;

  function changed(): void {
    for (const listener of listeners) listener();
  }

  function keep(post: Post): void {
    if (gone.has(post.id)) return;
    const answered = post.actions.replied_post;
    if (answered) keepQuoted(answered);
    posts.set(post.id, answered && gone.has(answered.id) ? unquoted(post) : post);
  }

  /** A quoted post comes without the post it answers: what is known of that stays. */
  function keepQuoted(quoted: QuotedPost): void {
    if (gone.has(quoted.id)) return;
    const known = posts.get(quoted.id)?.actions.replied_post ?? null;
    posts.set(quoted.id, { ...quoted, actions: { ...quoted.actions, replied_post: known } });
  }

  function alter(id: string, change: (post: Post) => Post): void {
    const post = posts.get(id);
    if (post) posts.set(id, change(post));
  }

  function alterActions(id: string, actions: Partial<Post['actions']>): void {
    alter(id, (post) => ({ ...post, actions: { ...post.actions, ...actions } }));
  }

  function updateAll(change: (list: PostList) => PostList): void {
    for (const [id, list] of lists) lists.set(id, change(list));
  }

  function update(id: PostListId, change: (list: PostList) => PostList): void {
    const list = lists.get(id);
    if (!list) return;
    lists.set(id, change(list));
    changed();
  }

  function remove(id: string): void {
    gone.add(id);
    posts.delete(id);
    for (const [other, post] of posts) if (post.actions.replied_post?.id === id) posts.set(other, unquoted(post));
    updateAll((list) => without(list, id));
  }

  /** Of pages that come while posts are being deleted. */
  const present = (page: PostPage): PostPage => ({ ...page, posts: page.posts.filter(({ id }) => !gone.has(id)) });

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
      lists.set(id, openedList(source, present(page)));
      changed();
      return id;
    },

    appendPage(id: PostListId, page: PostPage): void {
      page.posts.forEach(keep);
      update(id, (list) => withPage(list, present(page)));
    },

    beginLoading: (id: PostListId): void => update(id, (list) => ({ ...list, loading: true, failure: null })),

    /** Without a failure: the reader went away. */
    endLoading: (id: PostListId, failure: string | null): void =>
      update(id, (list) => ({ ...list, loading: false, failure })),

    /** Puts a post of one's own on top of every list it belongs to. Throws when it was added before. */
    addPost(post: Post): void {
      const repliedPostId = post.actions.replied_post_id;
      const news: NewPost = { id: post.id, ownerId: post.owner.id, repliedPostId };
      keep(post);
      updateAll((list) => (takes(list, news, post.owner.id) ? withAdded(list, post.id) : list));
      changed();
    },

    changeText(id: string, { text, is_modified }: Pick<Post, 'text' | 'is_modified'>): void {
      alter(id, (post) => ({ ...post, text, is_modified }));
      changed();
    },

    changeLike(id: string, like: Pick<Post['actions'], 'is_liked' | 'likes_count'>): void {
      alterActions(id, like);
      changed();
    },

    /** Takes a post out of everything; where it is quoted its place says that it is gone. */
    removePost(id: string): void {
      const answeredId = posts.get(id)?.actions.replied_post_id;
      remove(id);
      if (answeredId) {
        const replies = posts.get(answeredId)?.actions.replies_count ?? 0;
        alterActions(answeredId, { replies_count: Math.max(0, replies - 1) });
      }
      changed();
    },

    /** Takes in what was heard of. New posts wait; `isBusy` names posts whose like is on its way and speaks for itself. */
    hear(changes: Changes, me: string | null, isBusy: (id: string) => boolean): void {
      for (const { id, text, is_modified } of changes.changed) alter(id, (post) => ({ ...post, text, is_modified }));
      for (const { id, likes_count, replies_count } of changes.counts) {
        alterActions(id, isBusy(id) ? { replies_count } : { likes_count, replies_count });
      }
      const news: NewPost[] = [
        ...changes.posts.map(({ id, owner_id }) => ({ id, ownerId: owner_id, repliedPostId: null })),
        ...changes.replies.map(({ id, owner_id, replied_post_id }) => ({
          id,
          ownerId: owner_id,
          repliedPostId: replied_post_id,
        })),
      ];
      for (const post of news) {
        if (!gone.has(post.id)) updateAll((list) => (takes(list, post, me) ? withFresh(list, post.id) : list));
      }
      changes.deleted.forEach(remove);
      changed();
    },

    /** Shows the posts that wait, with the list's first page read just now. */
    showNewest(id: PostListId, page: PostPage): void {
      page.posts.forEach(keep);
      update(id, (list) => withNewest(list, present(page)));
    },

    /**
     * Takes in a list's first page, read once more: what it shows becomes true again, what is missing in it is gone, and
     * what is new waits.
     */
    reviewList(id: PostListId, page: PostPage): void {
      page.posts.forEach(keep);
      const list = lists.get(id);
      if (list && isByTime(list)) {
        lists.set(id, reviewed(list, idsOf(page), page.next === null));
      }
      changed();
    },

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

const unquoted = (post: Post): Post => ({ ...post, actions: { ...post.actions, replied_post: null } });
