import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Post, Thread } from '#contract/posts.ts';
import type { Tag } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { type AuthoredRow, tagsOf, toQuoted } from './rows.ts';
import { branchCounts, type NodeRow, treeNewestFirst, treeOldestFirst, wayTo } from './thread-queries.ts';
import { type FoundNode, type Part, postsOfThread, toTree } from './thread-rules.ts';

/** A post with its place in the discussion and a part of the replies below it; undefined when there is no such post. */
export async function findThread(db: Kysely<Schema>, id: number, part: Part): Promise<Thread | undefined> {
  const readTree = part.order === 'newest' ? treeNewestFirst : treeOldestFirst;
  const after = part.after ?? (part.order === 'newest' ? Number.MAX_SAFE_INTEGER : 0);
  const [way, tree, counts] = await Promise.all([
    wayTo(db, { id }),
    readTree(db, { of: part.of, after, limit: part.limit }),
    part.isBranch ? branchCounts(db, { id: part.of }) : [],
  ]);
  const row = way.find((found) => found.id === id);
  if (!row) return undefined;
  const ancestors = way.filter((found) => found !== row).map(toQuoted);
  const post: Post = toQuoted(row);
  post.actions.replied_post = ancestors.find((ancestor) => ancestor.id === post.actions.replied_post_id) ?? null;
  if (!part.isBranch) {
    const skipped = Math.max(0, row.depth - limits.threadAncestors - 1);
    return { ancestors, skipped, post, ...treeOf(tree, part), total: row.replies_count + row.gaps_count };
  }
  const [branch] = counts;
  // A branch of another discussion, or one that is gone.
  const isHere = branch?.root_id === (row.parent_post_id ?? id);
  const part1 = isHere ? { ...treeOf(tree, part), total: branch.below } : { replies: [], next: null, total: 0 };
  return { ancestors: [], skipped: 0, post, ...part1 };
}

/** Every reply in a discussion touches the tag of its root, which counts it. */
export function tagsOfThread(thread: Thread): Tag[] {
  const root = thread.post.actions.parent_post_id ?? thread.post.id;
  return [...new Set([`post:${Number(root)}` as const, ...tagsOf(postsOfThread(thread))])];
}

function treeOf(rows: readonly NodeRow[], part: Part): Pick<Thread, 'replies' | 'next'> {
  return toTree(rows.map(toFound), part);
}

const toFound = (row: NodeRow): FoundNode => ({
  id: row.node_id,
  aboveId: row.above_id,
  nth: row.nth,
  distance: row.distance,
  below: row.below,
  post: row.username === null ? null : toQuoted(row as AuthoredRow),
});
