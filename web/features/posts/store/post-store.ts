import type { CacheSnapshot } from 'virtua';
import type { Owner, Post } from '#contract/posts.ts';
import { createObservable, type Observable } from '../../../lib/observable.ts';
import { createPostsById } from './posts-by-id.ts';
import {
  openedList,
  belongsIn,
  withAdded,
  withOwn,
  without,
  withPage,
  type NewPost,
  type ListPage,
  type PostList,
  type PostListSource,
} from './post-list-state.ts';

export type PostListId = number;

type EditedText = Pick<Post, 'text' | 'is_modified' | 'modified_at'>;

interface Heights {
  /** The post above the first measured one. */
  after: string | undefined;
  /** Post ids by row. A deleted post leaves its row behind. */
  rows: readonly string[];
  cache: CacheSnapshot;
}

type Beside = Pick<ListPage, 'aside' | 'pinned'>;

interface PostStoreContent {
  post(id: string): Post | undefined;
  list(id: PostListId): PostList | undefined;
  /** The parts beside the feed, of the last response that had them. */
  beside(): Beside;
}

/** Stores posts by id, and lists as ids: a change of a post appears in all lists at once. */
export function createPostStore() {
  const posts = createPostsById();
  const lists = new Map<PostListId, PostList>();
  const heights = new Map<PostListId, Heights>();
  let beside: Beside = {};
  const content: PostStoreContent = { post: posts.get, list: (id) => lists.get(id), beside: () => beside };
  const state = createObservable(content);
  const rowHeights = new Map<PostListId, Map<string, number>>();
  let lastListId: PostListId = 0;

  const changed = (): void => state.set(content);

  /** Changes all lists or, if `change` throws, none. */
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

  function keepBeside(page: Beside): void {
    if (page.aside) beside = page;
  }

  function remove(id: string): void {
    posts.remove(id);
    updateAll((list) => without(list, id));
  }

  return {
    ...content,

    content: state as Observable<PostStoreContent>,

    /** For `createStoreUpdates`, which is loaded later. Changes through `posts` and `updateAll` end with `changed`. */
    posts,
    update,
    updateAll,
    remove,
    changed,
    keepBeside,

    keepPost(post: Post): void {
      posts.put(post);
      changed();
    },

    openList(source: PostListSource, page: ListPage): PostListId {
      const id = ++lastListId;
      posts.putPage(page);
      keepBeside(page);
      lists.set(id, openedList(source, posts.withoutDeleted(page)));
      changed();
      return id;
    },

    appendPage(id: PostListId, page: ListPage): void {
      posts.putPage(page);
      update(id, (list) => withPage(list, posts.withoutDeleted(page)));
    },

    beginLoading: (id: PostListId): void => update(id, (list) => ({ ...list, loading: true, failure: null })),

    /** `failure` is null when the request was aborted because the reader has left. */
    endLoading: (id: PostListId, failure: string | null): void =>
      update(id, (list) => ({ ...list, loading: false, failure })),

    /** Adds the person's own new post on top of every list it belongs to. Throws if it was added before. */
    addPost(post: Post): void {
      const repliedPostId = post.actions.replied_post_id;
      const news: NewPost = { id: post.id, ownerId: post.owner.id, repliedPostId };
      posts.put(post);
      // Only the root posts of active discussions have one.
      const withLine = (root: Post) => (root.last_reply ? { ...root, last_reply: post } : root);
      if (post.actions.parent_post_id) posts.alter(post.actions.parent_post_id, withLine);
      updateAll((list) => {
        if (list.thread && repliedPostId !== null) return withOwn(list, list.thread, post.id, repliedPostId);
        return belongsIn(list, news, post.owner.id) ? withAdded(list, post.id) : list;
      });
      changed();
    },

    changeText(id: string, edited: EditedText): void {
      posts.alter(id, (post) => ({ ...post, ...edited }));
      changed();
    },

    changeLike(id: string, like: Pick<Post['actions'], 'is_liked' | 'likes_count'>): void {
      posts.alterActions(id, like);
      changed();
    },

    renameOwner(owner: Owner): void {
      if (posts.renameOwner(owner)) changed();
    },

    /** Removes a post everywhere, and subtracts it from the replies of the post it replies to. */
    removePost(id: string): void {
      const repliedId = posts.get(id)?.actions.replied_post_id;
      remove(id);
      if (repliedId) {
        const replies = posts.get(repliedId)?.actions.replies_count ?? 0;
        posts.alterActions(repliedId, { replies_count: Math.max(0, replies - 1) });
      }
      changed();
    },

    /** The measured heights of a list's rows. With them Back restores the scroll position. */
    heights: (id: PostListId): Heights | undefined => heights.get(id),

    setHeights(id: PostListId, measured: Heights): void {
      heights.set(id, measured);
    },

    /** The same for a discussion, by post. */
    rowHeights(id: PostListId): Map<string, number> {
      const measured = rowHeights.get(id) ?? new Map<string, number>();
      rowHeights.set(id, measured);
      return measured;
    },

    /** Drops all other lists, and the posts that only they contain. */
    keepOnlyLists(ids: ReadonlySet<PostListId>): void {
      for (const id of lists.keys()) {
        if (ids.has(id)) continue;
        lists.delete(id);
        heights.delete(id);
        rowHeights.delete(id);
      }
      posts.keepOnly([...lists.values()].flatMap(idsIn));
    },
  };
}

export type PostStore = ReturnType<typeof createPostStore>;

/** The ids of a list's posts. A discussion includes the posts above it and what is folded. */
export const idsIn = ({ ids, thread }: PostList): string[] =>
  thread ? [...thread.ancestors, ...thread.nodes.keys()] : [...ids];
