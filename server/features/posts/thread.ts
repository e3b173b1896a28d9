import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Post, Thread } from '#contract/posts.ts';
import type { Tag } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { type AuthoredRow, toQuoted } from './rows.ts';
import { branchCounts, type NodeRow, smallThread, treeNewestFirst, treeOldestFirst, wayTo } from './thread-queries.ts';
import { type FoundNode, type Part, postsOfThread, toTree, walkIn } from './thread-rules.ts';

/** A post with its place in the discussion and a part of the replies below it; undefined when there is no such post. */
export async function findThread(db: Kysely<Schema>, id: number, part: Part): Promise<Thread | undefined> {
  const [way, all, nearest, counts] = await Promise.all([
    wayTo(db, { id }),
    smallThread(db, { id }),
    walk(db, id, part, limits.threadNodes),
    part.isBranch ? branchCounts(db, { id: part.of }) : [],
  ]);
  const row = way.find((found) => found.id === id);
  if (!row) return undefined;
  // Undefined if the root has been deleted.
  const size = way[0]!.replied_post_id === null ? way[0]!.thread_count : undefined;
  const isWhole = all.length <= limits.threadNodes && (all.length > 0 || size === 0);
  const isLarge = nearest.length > 0 || (size !== undefined && size > limits.threadNodes);
  // Neither applies to a few replies with more gaps than `smallThread` returns. The walk then runs for any size.
  const tree = isWhole ? walkIn(all, part) : isLarge ? nearest : await walk(db, id, part, -1);
  const ancestors = way.filter((found) => found !== row).map(toQuoted);
  const post: Post = toQuoted(row);
  post.actions.replied_post = ancestors.find((ancestor) => ancestor.id === post.actions.replied_post_id) ?? null;
  const rootId = row.parent_post_id ?? id;
  const treeOf = () =>
    toTree(
      tree.map((node) => toFound(node, rootId, part.of)),
      part,
    );
  if (!part.isBranch) {
    const skipped = Math.max(0, row.depth - limits.threadAncestors - 1);
    return { ancestors, skipped, post, ...treeOf(), total: row.replies_count + row.gaps_count };
  }
  const [branch] = counts;
  // A branch of another discussion, or one that is gone.
  const found =
    branch?.root_id === rootId ? { ...treeOf(), total: branch.below } : { replies: [], next: null, total: 0 };
  return { ancestors: [], skipped: 0, post, ...found };
}

const walk = (db: Kysely<Schema>, id: number, { of, order, after, limit }: Part, beyond: number): Promise<NodeRow[]> =>
  order === 'newest'
    ? treeNewestFirst(db, { id, beyond, of, after: after ?? Number.MAX_SAFE_INTEGER, limit })
    : treeOldestFirst(db, { id, beyond, of, after: after ?? 0, limit });

/** Every reply in a discussion, and whatever returns to it, touches the tag of its root. */
export function tagsOfThread(thread: Thread): Tag[] {
  const root = thread.post.actions.parent_post_id ?? thread.post.id;
  const shown = postsOfThread(thread);
  const ids = [root, ...shown.map(({ id }) => id)];
  const authors = new Set(shown.map(({ owner }) => owner.id));
  return [
    ...ids.map((id) => `post:${Number(id)}` as const),
    ...[...authors].map((id) => `user:${Number(id)}` as const),
  ];
}

/** The rows leave out what the place of a node tells. */
function toFound(row: NodeRow, rootId: number, of: number): FoundNode {
  const { node_id: id, above_id: aboveId, nth, distance, below } = row;
  const place = { id, parent_post_id: rootId, replied_post_id: aboveId ?? of, thread_count: 0 };
  const post = row.username === null ? null : toQuoted(Object.assign(row as AuthoredRow & NodeRow, place));
  return { id, aboveId, nth, distance, below, post };
}
