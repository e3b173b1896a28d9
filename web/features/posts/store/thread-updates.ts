import { type NewPost, type PostList, withThread } from './post-list-state.ts';
import {
  type Branch,
  type NewReply,
  type More,
  withRows,
  type Thread,
  type ThreadOrder,
  type ThreadVisit,
  withBranches,
  withFold,
  withMore,
  withoutReply,
  withReply,
  pathOf,
} from './thread-tree.ts';

/**
 * Notes a new reply, so that it is loaded. A reply that belongs among replies that are not loaded is only counted. A reply to an
 * unknown post is ignored.
 */
export function withNewReply(list: PostList, thread: Thread, post: NewPost): PostList {
  if (post.repliedPostId === null) return list;
  const reply = { id: post.id, ownerId: post.ownerId, parent: post.repliedPostId };
  const { nodes, unloaded, waiting, postId, order } = thread;
  const isReply = ({ id }: NewReply) => id === reply.id;
  if (nodes.has(reply.id) || unloaded.some(isReply) || waiting.some(isReply)) return list;
  if (reply.parent === postId && order === 'oldest' && list.next !== null) return { ...list, total: list.total + 1 };
  const parent = nodes.get(reply.parent);
  if (parent?.more) {
    const { count, cursor } = parent.more;
    return withThread(list, withMore(thread, reply.parent, { count: count + 1, cursor }));
  }
  const isKnown = parent ?? [...unloaded, ...waiting].some(({ id }) => id === reply.parent);
  return isKnown ? { ...list, thread: { ...thread, unloaded: [...unloaded, reply] } } : list;
}

/** Moves replies that have been loaded from `unloaded` to `waiting`. */
export function withLoaded(list: PostList, thread: Thread, loaded: readonly string[]): PostList {
  const done = new Set(loaded);
  const isDone = ({ id }: NewReply) => done.has(id);
  const now = thread.unloaded.filter(isDone);
  const unloaded = thread.unloaded.filter((reply) => !isDone(reply));
  return {
    ...list,
    fresh: [...list.fresh, ...now.map(({ id, ownerId }) => ({ id, ownerId }))],
    thread: { ...thread, unloaded, waiting: [...thread.waiting, ...now] },
  };
}

export function withoutUnloaded(list: PostList, thread: Thread, ids: readonly string[]): PostList {
  return { ...list, thread: { ...thread, unloaded: thread.unloaded.filter(({ id }) => !ids.includes(id)) } };
}

/** Puts a waiting reply at its place. */
export function withPlaced(list: PostList, thread: Thread, { id, parent }: NewReply): PostList {
  const waiting = thread.waiting.filter((other) => other.id !== id);
  const arrived = new Set(thread.arrived).add(id);
  const isNew = !thread.nodes.has(id) && parent === thread.postId;
  const placed = withReply({ ...thread, waiting, arrived }, id, parent);
  return { ...withThread(list, placed), total: list.total + (isNew ? 1 : 0) };
}

export function withSeen(list: PostList, ids: readonly string[]): PostList {
  return { ...list, fresh: list.fresh.filter(({ id }) => !ids.includes(id)) };
}

export function withVisit(list: PostList, thread: Thread, visit: ThreadVisit): PostList {
  return { ...list, thread: { ...thread, visit } };
}

export function withRead(list: PostList, thread: Thread, ids: readonly string[]): PostList {
  const { visit, nodes } = thread;
  const news = ids.filter(
    (id) => visit?.since && nodes.has(id) && Number(id) > Number(visit.since) && !visit.seen.has(id),
  );
  return visit && news.length > 0
    ? withVisit(list, thread, { ...visit, seen: new Set([...visit.seen, ...news]) })
    : list;
}

/** Adds further replies to a post of the discussion. */
export function withBranchPage(
  list: PostList,
  thread: Thread,
  id: string,
  { branches, more }: { branches: readonly Branch[]; more: More | null },
): PostList {
  return withThread(list, withMore(withBranches(thread, id, branches), id, more));
}

export function withUnfolded(list: PostList, thread: Thread, id: string): PostList {
  const open = pathOf(thread, id).reduce((now, above) => withFold(now, above, false), thread);
  return withThread(list, open);
}

/** Reverses the direct replies. All of them must be loaded. */
export function withOrder(list: PostList, thread: Thread, order: ThreadOrder): PostList {
  const node = thread.nodes.get(thread.postId)!;
  const nodes = new Map(thread.nodes).set(thread.postId, { ...node, replies: node.replies.toReversed() });
  const source = { kind: 'thread', postId: thread.postId, order } as const;
  return { ...withThread(list, withRows({ ...thread, order, nodes })), source };
}

interface Refreshed {
  /** The discussion's beginning, loaded again. */
  branches: readonly Branch[];
  /** The cursor after `branches`, null if they contain all direct replies. */
  next: string | null;
  /** The posts that were shown before. */
  shown: ReadonlyMap<string, unknown>;
  ownerOf: (id: string) => string | undefined;
}

/** Removes replies that are missing in the response, and lets new ones wait for their places. `list.total` is already the new one. */
export function withRefreshed(list: PostList, thread: Thread, { branches, next, shown, ownerOf }: Refreshed): PostList {
  const { nodes, postId, order } = thread;
  const end = next === null ? undefined : branches.at(-1);
  const isCovered = (id: string): boolean =>
    end === undefined || (order === 'oldest' ? Number(id) <= Number(end.id) : Number(id) >= Number(end.id));
  const last = nodes.get(postId)!.replies.at(-1);
  const isLater = (id: string): boolean =>
    list.next !== null && last !== undefined && (order === 'oldest' || Number(id) < Number(last));
  const news: NewReply[] = [];
  let rest = thread;

  const compare = (id: string, below: readonly Branch[], isInResponse: (reply: string) => boolean): void => {
    const received = new Set(below.map((branch) => branch.id));
    for (const reply of (nodes.get(id)?.replies ?? []).filter(isInResponse)) {
      if (!received.has(reply) && shown.has(reply)) rest = withoutReply(rest, reply);
    }
    for (const branch of below) {
      const isKnown = nodes.has(branch.id);
      if (!isKnown && id === postId && isLater(branch.id)) continue;
      const ownerId = ownerOf(branch.id);
      if (!isKnown && ownerId !== undefined) news.push({ id: branch.id, ownerId, parent: id });
      compare(branch.id, branch.replies, () => branch.more === null);
    }
  };
  compare(postId, branches, isCovered);
  const unloaded = [...rest.unloaded.filter(({ id }) => !news.some((reply) => reply.id === id)), ...news];
  const refreshed = { ...rest, unloaded };
  return withLoaded(
    { ...withThread(list, refreshed), next: list.next ?? (list.total > directReplies(refreshed) ? next : null) },
    refreshed,
    news.map(({ id }) => id),
  );
}

/** The number of known direct replies. */
function directReplies({ nodes, postId, unloaded, waiting }: Thread): number {
  const shown = nodes.get(postId)!.replies.filter((id) => !nodes.get(id)!.gone);
  return shown.length + [...unloaded, ...waiting].filter(({ parent }) => parent === postId).length;
}
