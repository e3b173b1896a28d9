import type { NotificationKind } from '#contract/notification-words.ts';
import type { Owner, Post, QuotedPost } from '#contract/posts.ts';
import { sameUsername } from '#contract/username.ts';
import { createObservable, type Observable } from '../../../lib/observable.ts';
import {
  belongsIn,
  type ListPage,
  type NewPost,
  openedList,
  type PostList,
  type PostListSource,
  withAdded,
  without,
  withOwn,
  withPage,
} from './post-list-state.ts';
import { unreadNotifications } from './viewer-counts.ts';

/** Posts as they were when a request was sent. */
export type PostSnapshot = ReadonlyMap<string, Post>;

/** Stores each post once, so that a change appears wherever the post is shown. */
function createPostsById() {
  const posts = new Map<string, Post>();
  /** Ids of deleted posts: a response that was requested earlier must not bring them back. */
  const deleted = new Set<string>();
  let isLikeBusy: (id: string) => boolean = () => false;

  function put(post: Post): void {
    if (deleted.has(post.id)) return;
    const replied = post.actions.replied_post;
    if (replied) putQuoted(replied);
    set(replied && deleted.has(replied.id) ? unquoted(post) : post);
  }

  /** Stores a post. A response that was requested before a like was pressed must not take the like back. */
  function set(post: Post): void {
    const known = isLikeBusy(post.id) ? posts.get(post.id) : undefined;
    const { is_liked, likes_count } = known?.actions ?? post.actions;
    const shown = known ? { ...post, actions: { ...post.actions, is_liked, likes_count } } : post;
    // Only lists of root posts name the last reply.
    const lastReply = post.last_reply === undefined ? posts.get(post.id)?.last_reply : post.last_reply;
    posts.set(post.id, lastReply === undefined ? shown : { ...shown, last_reply: lastReply });
  }

  /** Stores a quoted post. It arrives without the post it replies to, so the known one stays. */
  function putQuoted(quoted: QuotedPost): void {
    if (deleted.has(quoted.id)) return;
    const known = posts.get(quoted.id)?.actions.replied_post ?? null;
    set({ ...quoted, actions: { ...quoted.actions, replied_post: known } });
  }

  function alter(id: string, change: (post: Post) => Post): void {
    const post = posts.get(id);
    if (post) posts.set(id, change(post));
  }

  function alterActions(id: string, actions: Partial<Post['actions']>): void {
    alter(id, (post) => ({ ...post, actions: { ...post.actions, ...actions } }));
  }

  /** Adds the replied post to a post of a discussion: such posts arrive without the ones they reply to. */
  function inThread(post: Post): Post {
    const { replied_post_id: repliedId, replied_post: quoted } = post.actions;
    const replied = quoted ?? (repliedId === null ? undefined : posts.get(repliedId));
    const known = posts.get(post.id)?.actions.replied_post ?? null;
    const shown = replied ? { ...replied, actions: { ...replied.actions, replied_post: null } } : known;
    return { ...post, actions: { ...post.actions, replied_post: shown } };
  }

  return {
    get: (id: string): Post | undefined => posts.get(id),
    /** For `restored-posts.ts` and `store-updates.ts`, which are loaded later. */
    byId: posts,
    deleted,
    put,
    /** Called once, with whether the like of a post is being sent. */
    storeLikes: (isBusy: (id: string) => boolean): void => void (isLikeBusy = isBusy),
    inThread,
    putPage({ posts: received, thread }: ListPage): void {
      for (const post of received) put(thread ? inThread(post) : post);
    },
    alter,
    alterActions,

    /** The id of the person with this name, if there is a post of theirs. */
    ownerNamed(username: string): string | undefined {
      for (const { owner } of posts.values()) if (sameUsername(owner.username, username)) return owner.id;
      return undefined;
    },

    /** Returns whether any post had another name or face. */
    renameOwner({ id: userId, username, display_name, face }: Owner): boolean {
      const rename = <Kind extends Pick<Post, 'owner'>>(post: Kind): Kind => {
        const { owner } = post;
        const isKnown = owner.username === username && owner.display_name === display_name && owner.face === face;
        return owner.id === userId && !isKnown ? { ...post, owner: { ...owner, username, display_name, face } } : post;
      };
      let renamed = false;
      for (const [id, post] of posts) {
        const replied = post.actions.replied_post;
        const quoted = replied && rename(replied);
        const next = quoted === replied ? post : { ...post, actions: { ...post.actions, replied_post: quoted } };
        posts.set(id, rename(next));
        renamed ||= posts.get(id) !== post;
      }
      return renamed;
    },

    /** Leaves out posts that were deleted after the page was requested. */
    withoutDeleted: (page: ListPage): ListPage => ({ ...page, posts: page.posts.filter(({ id }) => !deleted.has(id)) }),

    /** Removes a deleted post for good. Replies to it show that it is deleted. */
    remove(id: string): void {
      deleted.add(id);
      posts.delete(id);
      for (const [other, post] of posts) if (post.actions.replied_post?.id === id) posts.set(other, unquoted(post));
    },

    /**
     * Takes over a post from the server. A post that has changed here since the request (`before`) stays, because events and own
     * actions are newer than the response. Of such a post only `is_liked` is taken over, because events do not contain it, unless
     * the person has liked or unliked the post meanwhile.
     */
    refresh(post: Post, before: PostSnapshot): void {
      const [known, then] = [posts.get(post.id), before.get(post.id)];
      if (!known || known === then) return put(post);
      const isUntouched = known.actions.is_liked === then?.actions.is_liked;
      if (isUntouched) alterActions(post.id, { is_liked: post.actions.is_liked });
    },

    /** Drops all posts but these and the posts they reply to. */
    retain(ids: readonly string[]): void {
      const needed = new Set(ids);
      for (const id of ids) {
        const repliedId = posts.get(id)?.actions.replied_post_id;
        if (repliedId) needed.add(repliedId);
      }
      for (const id of posts.keys()) if (!needed.has(id)) posts.delete(id);
    },
  };
}

const unquoted = (post: Post): Post => ({ ...post, actions: { ...post.actions, replied_post: null } });

export type PostListId = number;

/** Why the person is notified of a post; with the followed word. */
export interface Notice {
  kind: NotificationKind;
  word: string | null | undefined;
}

type EditedText = Pick<Post, 'text' | 'is_modified' | 'modified_at'>;

export type Beside = Pick<ListPage, 'aside' | 'pinned'>;

interface PostStoreContent {
  post(id: string): Post | undefined;
  list(id: PostListId): PostList | undefined;
  /** The right column of the last response that had one. */
  beside(): Beside;
}

/** Stores posts by id, and lists as ids: a change of a post appears in all lists at once. */
export function createPostStore() {
  const posts = createPostsById();
  const lists = new Map<PostListId, PostList>();
  let beside: Beside = {};
  const content: PostStoreContent = { post: posts.get, list: (id) => lists.get(id), beside: () => beside };
  /** The notifications by post and the root posts of their discussions, shared by all lists of notifications. */
  const notices = new Map<string, Notice>();
  const roots = new Map<string, QuotedPost>();
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

  /** Stores the right column of a page, and the kinds and root posts of its notifications. */
  function storePageData(page: ListPage): void {
    if (page.aside) beside = page;
    page.kinds?.forEach((kind, index) => {
      const { id, actions } = page.posts[index]!;
      notices.set(id, { kind, word: page.words?.[index] });
      roots.delete(actions.parent_post_id ?? id);
    });
    for (const root of page.roots ?? []) roots.set(root.id, root);
  }

  /** Stores the data of a first page. Later pages do not set the number of unread notifications: it may count ones that are not in the list yet. */
  function storeFirst(page: ListPage): void {
    storePageData(page);
    // The server sets the number too, but never reads it: it is shared by all requests.
    if (page.unread !== undefined) unreadNotifications.set(page.unread);
  }

  function remove(id: string): void {
    posts.remove(id);
    updateAll((list) => without(list, id));
  }

  return {
    ...content,

    content: state as Observable<PostStoreContent>,

    /** The next members are for modules with changes of their own, such as `store-updates.ts`. Changes through `posts` and `updateAll` end with `changed`. */
    posts,
    update,
    updateAll,
    remove,
    changed,
    storeFirst,

    noticeOf: (id: string): Notice | undefined => notices.get(id),

    /** The root post of a discussion as it was when the notifications were loaded; undefined if it was gone. */
    rootOf: (id: string): QuotedPost | undefined => roots.get(id),

    storePost(post: Post): void {
      posts.put(post);
      changed();
    },

    setBeside(found: Beside): void {
      beside = found;
      changed();
    },

    openList(source: PostListSource, page: ListPage): PostListId {
      const id = ++lastListId;
      posts.putPage(page);
      storeFirst(page);
      lists.set(id, openedList(source, posts.withoutDeleted(page)));
      changed();
      return id;
    },

    appendPage(id: PostListId, page: ListPage): void {
      posts.putPage(page);
      storePageData(page);
      update(id, (list) => {
        for (const post of page.posts) logDuplicate(list, post.id);
        return withPage(list, posts.withoutDeleted(page));
      });
    },

    beginLoading: (id: PostListId): void => update(id, (list) => ({ ...list, loading: true, failure: null })),

    /** `failure` is null when the request was aborted because the reader has left. */
    endLoading: (id: PostListId, failure: string | null): void =>
      update(id, (list) => ({ ...list, loading: false, failure })),

    /** Adds the person's own new post on top of every list it belongs to. */
    addPost(post: Post): void {
      const repliedPostId = post.actions.replied_post_id;
      const news: NewPost = { id: post.id, ownerId: post.owner.id, repliedPostId };
      posts.put(post);
      // Only the root posts of active discussions have a last reply.
      const withLine = (root: Post) => (root.last_reply ? { ...root, last_reply: post } : root);
      if (post.actions.parent_post_id) posts.alter(post.actions.parent_post_id, withLine);
      updateAll((list) => {
        if (belongsIn(list, news, post.owner.id)) logDuplicate(list, post.id);
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

    /** The measured heights of a list's rows, by post, with which Back restores the scroll position. */
    rowHeights(id: PostListId): Map<string, number> {
      const measured = rowHeights.get(id) ?? new Map<string, number>();
      rowHeights.set(id, measured);
      return measured;
    },

    /** Drops all other lists, and the posts that only they contain. */
    retainLists(ids: ReadonlySet<PostListId>): void {
      for (const id of lists.keys()) {
        if (ids.has(id)) continue;
        lists.delete(id);
        rowHeights.delete(id);
      }
      posts.retain([...lists.values()].flatMap(idsIn));
    },
  };
}

export type PostStore = ReturnType<typeof createPostStore>;

/** Logs the error that the specification asks for when a list already contains an added post. The list shows the post only once. */
function logDuplicate({ thread, ids }: PostList, id: string): void {
  // A discussion may already contain a reply that an event has brought.
  if (!thread && ids.includes(id)) console.error(`Пост с id=${id} уже существует`);
}

/** The ids of a list's posts. Those of a discussion include the posts above the page's post and folded replies. */
export const idsIn = ({ ids, thread }: PostList): string[] =>
  thread ? [...thread.ancestors, ...thread.nodes.keys()] : [...ids];
