import type { CacheSnapshot } from 'virtua';
import type { Changes } from '#contract/events.ts';
import type { Post, PostPage } from '#contract/posts.ts';
import { createKeptPosts, type Shown } from './kept-posts.ts';
import {
  isByTime,
  missingIn,
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

interface Heights {
  /** The post after which the measured ones begin. */
  after: string | undefined;
  /** Ids by row; a post that has gone left its row behind. */
  rows: readonly string[];
  cache: CacheSnapshot;
}

/** Posts by id, once each, and lists that hold ids: what changes in a post changes everywhere at once. */
export function createPostStore() {
  const posts = createKeptPosts();
  const lists = new Map<PostListId, PostList>();
  const heights = new Map<PostListId, Heights>();
  const listeners = new Set<() => void>();
  let lastListId: PostListId = 0;

  function changed(): void {
    for (const listener of listeners) listener();
  }

  /** All or none: a change that throws leaves every list as it was. */
  function updateAll(change: (list: PostList) => PostList): void {
    const next = [...lists].map(([id, list]) => [id, change(list)] as const);
    for (const [id, list] of next) lists.set(id, list);
  }

  function update(id: PostListId, change: (list: PostList) => PostList): void {
    const list = lists.get(id);
    if (!list) return;
    lists.set(id, change(list));
    changed();
  }

  function remove(id: string): void {
    posts.remove(id);
    updateAll((list) => without(list, id));
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    post: posts.get,

    list: (id: PostListId): PostList | undefined => lists.get(id),

    keepPost(post: Post): void {
      posts.keep(post);
      changed();
    },

    openList(source: PostListSource, page: PostPage): PostListId {
      const id = ++lastListId;
      page.posts.forEach(posts.keep);
      lists.set(id, openedList(source, posts.withoutGone(page)));
      changed();
      return id;
    },

    appendPage(id: PostListId, page: PostPage): void {
      page.posts.forEach(posts.keep);
      update(id, (list) => withPage(list, posts.withoutGone(page)));
    },

    beginLoading: (id: PostListId): void => update(id, (list) => ({ ...list, loading: true, failure: null })),

    /** Without a failure: the reader went away. */
    endLoading: (id: PostListId, failure: string | null): void =>
      update(id, (list) => ({ ...list, loading: false, failure })),

    /** Puts a post of one's own on top of every list it belongs to. Throws when it was added before. */
    addPost(post: Post): void {
      const repliedPostId = post.actions.replied_post_id;
      const news: NewPost = { id: post.id, ownerId: post.owner.id, repliedPostId };
      posts.keep(post);
      updateAll((list) => (takes(list, news, post.owner.id) ? withAdded(list, post.id) : list));
      changed();
    },

    changeText(id: string, { text, is_modified }: Pick<Post, 'text' | 'is_modified'>): void {
      posts.alter(id, (post) => ({ ...post, text, is_modified }));
      changed();
    },

    changeLike(id: string, like: Pick<Post['actions'], 'is_liked' | 'likes_count'>): void {
      posts.alterActions(id, like);
      changed();
    },

    renameOwner(userId: string, username: string): void {
      if (posts.renameOwner(userId, username)) changed();
    },

    /** Takes a post out of everything; the post it answers has one reply less. */
    removePost(id: string): void {
      const answeredId = posts.get(id)?.actions.replied_post_id;
      remove(id);
      if (answeredId) {
        const replies = posts.get(answeredId)?.actions.replies_count ?? 0;
        posts.alterActions(answeredId, { replies_count: Math.max(0, replies - 1) });
      }
      changed();
    },

    /** Takes in what was heard of. New posts wait; `isBusy` names posts whose like is on its way and speaks for itself. */
    hear(changes: Changes, me: string | null, isBusy: (id: string) => boolean): void {
      for (const { id, text, is_modified } of changes.changed)
        posts.alter(id, (post) => ({ ...post, text, is_modified }));
      for (const { id, likes_count, replies_count } of changes.counts) {
        posts.alterActions(id, isBusy(id) ? { replies_count } : { likes_count, replies_count });
      }
      for (const post of newPostsOf(changes)) {
        if (!posts.isGone(post.id)) updateAll((list) => (takes(list, post, me) ? withFresh(list, post) : list));
      }
      changes.deleted.forEach(remove);
      if (changes.reset) updateAll(doubted);
      changed();
    },

    /** Something may have happened to this list that was not heard of. */
    doubt: (id: PostListId): void => update(id, doubted),

    /** Of answers only their number is heard: that there may be others is told here. */
    doubtAnswers(): void {
      updateAll((list) => (list.source.kind === 'answers' ? doubted(list) : list));
    },

    doubtAll(): void {
      updateAll(doubted);
      changed();
    },

    /** Shows the posts that wait, with the list's first page read just now. */
    showNewest(id: PostListId, page: PostPage): void {
      page.posts.forEach(posts.keep);
      update(id, (list) => withNewest(list, posts.withoutGone(page)));
    },

    /** Before a list is read anew: what it shows, but for posts whose like is on its way. */
    beginReview(id: PostListId, isBusy: (id: string) => boolean): Shown {
      update(id, (list) => ({ ...list, stale: false }));
      const list = lists.get(id);
      const ids = list ? idsIn(list).filter((shown) => !isBusy(shown)) : [];
      return new Map(ids.flatMap((shown) => posts.get(shown) ?? []).map((post) => [post.id, post]));
    },

    reviewPost(post: Post, before: Shown): void {
      posts.review(post, before);
      changed();
    },

    /** Takes in a list's first page, read anew: what should stand in it and does not is gone, and what is new waits. */
    reviewList(id: PostListId, page: PostPage, before: Shown): void {
      for (const post of page.posts) posts.review(post, before);
      const list = lists.get(id);
      if (list && isByTime(list)) {
        const shown = list.ids.filter((shownId) => before.has(shownId));
        missingIn(page, shown).forEach(remove);
        update(id, (rest) => reviewed(rest, posts.withoutGone(page)));
      }
      changed();
    },

    /** The measured heights of a list's rows; with them Back finds the same scroll position. */
    heights: (id: PostListId): Heights | undefined => heights.get(id),

    keepHeights(id: PostListId, measured: Heights): void {
      heights.set(id, measured);
    },

    /** Forgets every list that nobody can come back to, and the posts of those alone. */
    keepOnlyLists(ids: ReadonlySet<PostListId>): void {
      for (const id of lists.keys()) {
        if (ids.has(id)) continue;
        lists.delete(id);
        heights.delete(id);
      }
      posts.keepOnly([...lists.values()].flatMap(idsIn));
    },
  };
}

export type PostStore = ReturnType<typeof createPostStore>;

/** A list's posts; the page of a post shows it over the list of its replies. */
const idsIn = ({ ids, source }: PostList): string[] => (source.kind === 'replies' ? [source.postId, ...ids] : [...ids]);

const doubted = (list: PostList): PostList => ({ ...list, stale: true });

function newPostsOf({ posts, replies }: Changes): NewPost[] {
  return [
    ...posts.map(({ id, owner_id }) => ({ id, ownerId: owner_id, repliedPostId: null })),
    ...replies.map(({ id, owner_id, replied_post_id }) => ({ id, ownerId: owner_id, repliedPostId: replied_post_id })),
  ];
}
