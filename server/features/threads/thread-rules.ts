import { limitOf, serverLimits } from '#contract/limits.ts';
import type { Post, QuotedPost, Thread, ThreadNode } from '#contract/posts.ts';
import { parseId } from '../../db/ids.ts';
import { parseCursor, toCursor } from '../posts/post-rules.ts';

/** The next replies to one post of the tree, after a reply already received. */
interface Branch {
  of: number;
  after: number;
}

type Order = 'newest' | 'oldest';

/** The part of a tree to read: `limit` replies to `of` after the reply `after`, and nodes below them. */
export interface Part {
  /** The post whose replies are the first level. */
  of: number;
  isBranch: boolean;
  order: Order;
  after: number | undefined;
  limit: number;
}

export interface ThreadQuery {
  order?: Order;
  limit?: string;
  cursor?: string;
  branch?: string;
}

/** Returns undefined for a malformed cursor or branch. */
export function readPart(id: number, { order = 'newest', cursor, branch, ...asked }: ThreadQuery): Part | undefined {
  const shared = { limit: limitOf(asked) };
  if (branch !== undefined) {
    const found = parseBranch(branch);
    return found && { ...shared, ...found, isBranch: true, order: 'oldest' };
  }
  const whole = { ...shared, of: id, isBranch: false, order };
  if (cursor === undefined) return { ...whole, after: undefined };
  const after = parseCursor(cursor);
  return after === undefined ? undefined : { ...whole, after };
}

/** Equal for equal parts of a tree: a key in the response cache. */
export const keyOfPart = (id: number, { of, isBranch, order, after, limit }: Part): string =>
  `${isBranch ? 'branch' : 'thread'} ${id} ${of} ${order} ${after ?? ''} ${limit}`;

function parseBranch(branch: string): Branch | undefined {
  const [, of, after] = /^b([0-9a-z]{1,11})-([0-9a-z]{1,11})$/.exec(branch) ?? [];
  const ids = [of, after].map((part) => parseId(String(Number.parseInt(part ?? '', 36))));
  return ids[0] === undefined || ids[1] === undefined ? undefined : { of: ids[0], after: ids[1] };
}

const toBranch = ({ of, after }: Branch): string => `b${of.toString(36)}-${after.toString(36)}`;

/** A place in the tree, found by the walk through it. */
export interface FoundNode {
  id: number;
  /** The node above; null on the first level. */
  aboveId: number | null;
  /** Its position among the replies to the node above, from 1. */
  nth: number;
  /** Number of steps from the first level; -1: the node after the last of the first level, which is not shown. */
  distance: number;
  /** Null for a gap, which is the place of a deleted or removed post, and for the post of a deleted account. */
  post: QuotedPost | null;
  /** Number of direct replies, gaps included. */
  below: number;
}

/** Finds in memory the nodes that `thread.ts` finds with queries. Adds their places to the given rows. */
export function walkIn<Row extends { node_id: number; above_id: number | null }>(
  replies: readonly Row[],
  { of, order, after = order === 'newest' ? Infinity : 0, limit }: Part,
): Array<Row & { nth: number; distance: number }> {
  const repliesTo = Map.groupBy(replies, ({ above_id: aboveId }) => aboveId);
  const placed: Array<Row & { nth: number; distance: number }> = [];
  const place = (row: Row, aboveId: number | null, nth: number, distance: number) =>
    placed.push(Object.assign(row, { above_id: aboveId, nth, distance }));

  const direct = (repliesTo.get(of) ?? []).toSorted(
    (a, b) => (order === 'newest' ? b : a).node_id - (order === 'newest' ? a : b).node_id,
  );
  const first = direct.filter(({ node_id: id }) => (order === 'newest' ? id < after : id > after)).slice(0, limit + 1);
  first.forEach((row, index) => place(row, null, index + 1, index < limit ? 0 : -1));
  for (const { node_id: id, distance } of placed) {
    if (distance < 0) continue;
    const next = (repliesTo.get(id) ?? [])
      .toSorted((a, b) => a.node_id - b.node_id)
      .slice(0, serverLimits.threadBranch);
    next.forEach((row, index) => place(row, id, index + 1, distance + index + 1));
  }
  return placed;
}

/**
 * The part of the tree that a response shows: the first level, then the nodes nearest to it. A node's parent and older
 * siblings are nearer than the node. So a node is never shown without its parent and its older siblings.
 */
export function toTree(found: readonly FoundNode[], { of, isBranch }: Part): Pick<Thread, 'replies' | 'next'> {
  const shown = found
    .filter(({ distance }) => distance >= 0)
    .toSorted((a, b) => a.distance - b.distance || a.id - b.id)
    .slice(0, serverLimits.threadNodes);
  // Siblings follow each other in their order, except on the first level, where all are equally near.
  const below = Map.groupBy(shown, ({ aboveId }) => aboveId);
  const firstLevel = (below.get(null) ?? []).toSorted((a, b) => a.nth - b.nth);

  function toNode({ id, post, below: count }: FoundNode): ThreadNode[] {
    const known = below.get(id) ?? [];
    const last = known.at(-1);
    const hidden = count - (last?.nth ?? 0);
    const more = hidden > 0 ? { count: hidden, cursor: toBranch({ of: id, after: last?.id ?? id }) } : null;
    const replies = known.flatMap(toNode);
    // A gap, or a post of a deleted account that is not cleared yet, is shown only if there is something below it.
    return post || replies.length > 0 || more ? [{ id: String(id), post, replies, more }] : [];
  }

  const lastId = firstLevel.at(-1)?.id;
  const continues = lastId !== undefined && found.some(({ distance }) => distance < 0);
  return {
    replies: firstLevel.flatMap(toNode),
    next: continues ? (isBranch ? toBranch({ of, after: lastId }) : toCursor(lastId)) : null,
  };
}

/** The posts of a thread in their order in the body of the response. */
export function postsOfThread({ ancestors, post, replies }: Thread): Array<Post | QuotedPost> {
  const posts: Array<Post | QuotedPost> = [...ancestors, post];
  const add = (nodes: readonly ThreadNode[]): void => {
    for (const node of nodes) {
      if (node.post) posts.push(node.post);
      add(node.replies);
    }
  };
  add(replies);
  return posts;
}
