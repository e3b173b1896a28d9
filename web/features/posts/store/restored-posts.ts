import { limits } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { belongsIn, isByTime, type PostList, type PostListSource, withParts, withThread } from './post-list-state.ts';
import { withFresh } from './post-list-updates.ts';
import type { PostStore } from './post-store.ts';
import { type Thread, withReply } from './thread-tree.ts';

type Actions = Post['actions'];

/** The actions of a post without the rules of its discussion. */
export const withoutRules = (actions: Actions) => ({
  is_liked: actions.is_liked,
  likes_count: actions.likes_count,
  replies_count: actions.replies_count,
  thread_count: actions.thread_count,
  parent_post_id: actions.parent_post_id,
  replied_post_id: actions.replied_post_id,
  replied_post: actions.replied_post,
});

/** Takes over the text and the rules of a post after an act. The counts stay, because the known ones may be newer. */
export function showChanged(store: PostStore, { actions, ...text }: Post): void {
  store.posts.alter(text.id, (post) => ({
    ...post,
    ...text,
    actions: { ...actions, ...withoutRules(post.actions) },
  }));
  store.changed();
}

/** Shows a post as it is after a decision about it was taken back. */
export async function showAgain(store: PostStore, id: string, me: string): Promise<void> {
  const post = await call('GET /posts/{id}', { params: { id } }).catch(() => null);
  if (!post) return;
  if (store.post(id)) showChanged(store, post);
  else showRestored(store, id, me, post);
}

/** A deleted post, and the order of each list that has contained it. */
interface Saved {
  /** Undefined if the post was only waiting to be shown. */
  post: Post | undefined;
  orders: Map<PostListSource, readonly string[]>;
}

const storedOf = new WeakMap<PostStore, Map<string, Saved>>();

/** Called before a post is removed from the store, so that a restored post returns to its positions in lists. */
export function saveForRestoration(store: PostStore, id: string): void {
  const saved = storedOf.get(store) ?? new Map<string, Saved>();
  storedOf.set(store, saved);
  const orders: Saved['orders'] = new Map();
  store.updateAll((list) => {
    if (list.ids.includes(id) || list.fresh.some((post) => post.id === id)) orders.set(list.source, list.ids);
    return list;
  });
  const post = store.post(id);
  if (!post && orders.size === 0) return;
  saved.set(id, { post, orders });
  setTimeout(() => saved.delete(id), limits.undoDeletionSeconds * 1_000);
}

/** Shows a restored post where it was. Without `received` the post that was deleted here is shown. */
export function showRestored(store: PostStore, id: string, me: string | null, received?: Post): void {
  const { posts } = store;
  const saved = storedOf.get(store)?.get(id);
  posts.deleted.delete(id);
  // An event may have come before the response.
  if (posts.get(id)) return;
  const post = received ?? saved?.post;
  if (post) {
    quoteAgain(store, post);
    store.updateAll((list) => withRestored(list, post, saved?.orders.get(list.source), me));
    countReply(store, post.actions.replied_post_id);
  } else {
    // The post itself is not known here, so the lists that contained it are loaded again.
    store.updateAll((list) => (saved?.orders.has(list.source) ? { ...list, stale: true } : list));
  }
  store.changed();
}

function quoteAgain({ posts }: PostStore, post: Post): void {
  posts.put(post);
  const quoted = { ...post, actions: { ...post.actions, replied_post: null } };
  for (const [reply, { actions }] of posts.byId) {
    if (actions.replied_post_id === post.id) posts.alterActions(reply, { replied_post: quoted });
  }
}

function countReply({ posts }: PostStore, repliedId: string | null): void {
  const replied = repliedId === null ? undefined : posts.get(repliedId);
  if (replied) posts.alterActions(replied.id, { replies_count: replied.actions.replies_count + 1 });
}

/** `order`: the ids of the list when it last contained the post. */
function withRestored(list: PostList, post: Post, order: readonly string[] | undefined, me: string | null): PostList {
  const { id, owner, actions } = post;
  const restored = { id, ownerId: owner.id, repliedPostId: actions.replied_post_id };
  if (list.thread) return withRestoredReply(list, list.thread, post);
  if (list.ids.includes(id) || (!order && !belongsIn(list, restored, me))) return list;
  if (order && !order.includes(id)) return withFresh(list, restored);
  const next =
    order && !isByTime(list)
      ? order.slice(order.indexOf(id)).find((later) => list.ids.includes(later))
      : list.ids.find((other) => Number(other) < Number(id));
  return { ...withBefore(list, next, id), total: list.total + 1 };
}

/** Inserts a post before another one or else at the end, unless the end has not been loaded. */
function withBefore(list: PostList, next: string | undefined, id: string): PostList {
  if (next === undefined) return list.next === null ? withParts(list, { fetched: [...list.fetched, id] }) : list;
  const part = list.added.includes(next) ? 'added' : 'fetched';
  return withParts(list, { [part]: list[part].toSpliced(list[part].indexOf(next), 0, id) });
}

function withRestoredReply(list: PostList, thread: Thread, { id, actions }: Post): PostList {
  const parent = actions.replied_post_id;
  if (id === thread.postId || parent === null || !thread.nodes.has(parent)) return list;
  const total = list.total + (parent === thread.postId ? 1 : 0);
  return { ...withThread(list, withReply(thread, id, parent)), total };
}
