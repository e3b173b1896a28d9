import type { Changes } from '#contract/live.ts';
import type { LastReply, PostPage } from '#contract/posts.ts';
import { hasRightColumn } from './fetch-post-page.ts';
import {
  belongsIn,
  isByTime,
  type ListPage,
  marksWith,
  type NewPost,
  openedList,
  type PostList,
  type PostListSource,
  without,
} from './post-list-state.ts';
import {
  missingIn,
  withFresh,
  withLifted,
  withNewerPage,
  withNewest,
  withPlace,
  withRefreshedPage,
} from './post-list-updates.ts';
import { idsIn, type PostListId, type PostSnapshot, type PostStore } from './post-store.ts';
import { saveForRestoration, showRestored, withoutRules } from './restored-posts.ts';
import { withNewReply, withRefreshed } from './thread-updates.ts';

/** Applies changes from the server to the store. This code is loaded with live updates, after the first page. */
export function createStoreUpdates(store: PostStore) {
  const { posts, update, updateAll, remove, changed, storeFirst } = store;

  /** Changes the lines of active discussions that show this reply. */
  function alterLastReply(id: string, change: (last: LastReply) => LastReply | null): void {
    for (const { id: rootId, last_reply: last } of posts.byId.values()) {
      if (last?.id === id) posts.alter(rootId, (post) => ({ ...post, last_reply: change(last) }));
    }
  }

  const markStaleOf = (kinds: readonly PostListSource['kind'][]): void =>
    updateAll((list) => (kinds.includes(list.source.kind) ? asStale(list) : list));

  return {
    /** Applies events. New posts wait. Likes of posts for which `isBusy` is true stay: their own request is running. */
    applyChanges(changes: Changes, me: string | null, isBusy: (id: string) => boolean): void {
      for (const id of changes.restored ?? []) showRestored(store, id, me);
      for (const edited of changes.changed) {
        posts.alter(edited.id, (post) => ({ ...post, ...edited }));
        alterLastReply(edited.id, (last) => ({ ...last, text: edited.text }));
      }
      for (const id of changes.lifted ?? []) {
        updateAll((list) => (list.source.kind === 'discussed' ? withLifted(list, id) : list));
      }
      for (const { id, ...rule } of changes.rules ?? []) {
        posts.alter(id, (post) => ({ ...post, actions: { ...withoutRules(post.actions), ...rule } }));
      }
      if (changes.pinned) markStaleOf(['feed']);
      for (const { id, likes_count, ...replies } of changes.counts) {
        const hasReply = (replies.thread_count ?? 0) > (posts.get(id)?.actions.thread_count ?? Infinity);
        if (hasReply) updateAll((list) => (list.source.kind === 'following' ? withLifted(list, id) : list));
        posts.alterActions(id, isBusy(id) ? replies : { likes_count, ...replies });
      }
      for (const post of newPostsOf(changes)) {
        if (posts.deleted.has(post.id)) continue;
        updateAll((list) => {
          if (list.thread) return withNewReply(list, list.thread, post);
          return belongsIn(list, post, me) ? withFresh(list, post) : list;
        });
      }
      for (const id of changes.deleted) {
        saveForRestoration(store, id);
        remove(id);
        alterLastReply(id, () => null);
      }
      if (changes.reset) updateAll(asStale);
      changed();
    },

    /** The list may have changed without an event. */
    markStale: (id: PostListId): void => update(id, asStale),

    /** Events contain only the number of unread notifications, so the lists that mark unread posts may be out of date. */
    markUnreadStale: (): void => markStaleOf(['notifications', 'following']),

    /** The right column, which says what is new in discussions, comes with these lists. */
    markRightColumnStale(): void {
      if (hasRightColumn()) markStaleOf(['feed', 'discussed']);
    },

    markAllStale(): void {
      updateAll(asStale);
      changed();
    },

    /** Shows the waiting posts with the list's first page, which was just loaded. */
    showNewest(id: PostListId, page: ListPage): void {
      page.posts.forEach(posts.put);
      storeFirst(page);
      update(id, (list) =>
        isByTime(list)
          ? withNewest(list, posts.withoutDeleted(page))
          : openedList(list.source, posts.withoutDeleted(page)),
      );
    },

    /** Shows the list from a post further down. `page` begins with that post. */
    showPlace(id: PostListId, page: PostPage, from: string): void {
      page.posts.forEach(posts.put);
      update(id, (list) => withPlace(list, posts.withoutDeleted(page), from));
    },

    addNewer(id: PostListId, page: PostPage): void {
      page.posts.forEach(posts.put);
      update(id, (list) => withNewerPage(list, posts.withoutDeleted(page)));
    },

    /** Called before a list is loaded again. Returns the posts it shows, without those whose like is being sent. */
    beginRefresh(id: PostListId, isBusy: (id: string) => boolean): PostSnapshot {
      update(id, (list) => ({ ...list, stale: false }));
      const list = store.list(id);
      const ids = list ? idsIn(list).filter((shown) => !isBusy(shown)) : [];
      return new Map(ids.flatMap((shown) => posts.get(shown) ?? []).map((post) => [post.id, post]));
    },

    /**
     * Applies a list's first page, loaded again. In a discussion and in a list by time, missing posts are deleted, and new posts wait. Other
     * lists keep the posts that they show.
     */
    refreshList(id: PostListId, page: ListPage, before: PostSnapshot): void {
      storeFirst(page);
      for (const post of page.posts) posts.refresh(page.thread ? posts.inThread(post) : post, before);
      const list = store.list(id);
      if (page.thread) {
        const { replies } = page.thread;
        const refreshed = {
          branches: replies,
          next: page.next,
          shown: before,
          ownerOf: (reply: string) => posts.get(reply)?.owner.id,
        };
        update(id, (rest) => withRefreshed({ ...rest, total: page.total }, rest.thread!, refreshed));
      } else if (list && isByTime(list)) {
        const shown = list.ids.filter((shownId) => before.has(shownId));
        const missing = missingIn(page, shown, list.source.kind !== 'notifications');
        const isSearch = list.source.kind === 'search';
        if (!isSearch) missing.forEach(remove);
        update(id, (rest) => {
          // An edited post may have left the results without being deleted.
          const present = isSearch ? missing.reduce(without, rest) : rest;
          return withRefreshedPage(present, posts.withoutDeleted(page));
        });
      } else {
        update(id, (rest) => ({ ...rest, marks: marksWith(rest, page) }));
      }
      changed();
    },
  };
}

export type StoreUpdates = ReturnType<typeof createStoreUpdates>;

const asStale = (list: PostList): PostList => ({ ...list, stale: true });

function newPostsOf({ posts, replies }: Changes): NewPost[] {
  return [
    ...posts.map(({ id, owner_id }) => ({ id, ownerId: owner_id, repliedPostId: null })),
    ...replies.map(({ id, owner_id, replied_post_id }) => ({ id, ownerId: owner_id, repliedPostId: replied_post_id })),
  ];
}
