import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Post, Thread } from '#contract/posts.ts';
import type { Tag } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { type AuthoredRow, placed, toQuoted } from './rows.ts';
import {
  type AncestorRow,
  branchCounts,
  type NodeRow,
  type ReplyRow,
  rootOf,
  smallThread,
  treeNewestFirst,
  treeOldestFirst,
  wayTo,
} from './thread-queries.ts';
import { type FoundNode, type Part, postsOfThread, toTree, walkIn } from './thread-rules.ts';

/** A post and those above it in its discussion, from the root down. */
interface Way {
  rows: readonly AuthoredRow[];
  /** Number of posts and gaps above the post. */
  depth: number;
  /** Number of replies to the post, gaps included. */
  below: number;
}

/** A post with its place in the discussion and a part of the replies below it; undefined when there is no such post. */
export async function findThread(db: Kysely<Schema>, id: number, part: Part): Promise<Thread | undefined> {
  const [[root], all, [branch]] = await Promise.all([
    rootOf(db, { id }),
    smallThread(db, { id }),
    part.isBranch ? branchCounts(db, { id: part.of }) : [],
  ]);
  const isWhole = all.length <= limits.threadNodes && (all.length > 0 || root?.thread_count === 0);
  // Before `walkIn`, which replaces `above_id`.
  const known = isWhole && root ? wayIn(root, all, id) : undefined;
  const [way, tree] = await Promise.all([known ?? findWay(db, id), isWhole ? walkIn(all, part) : walk(db, part)]);
  const row = way.rows.at(-1);
  if (row?.id !== id) return undefined;
  const ancestors = way.rows.slice(0, -1).map(toQuoted);
  const post: Post = toQuoted(row);
  post.actions.replied_post = ancestors.find((ancestor) => ancestor.id === post.actions.replied_post_id) ?? null;
  const rootId = row.parent_post_id ?? id;
  const treeOf = () =>
    toTree(
      tree.map((node) => toFound(node, rootId, part.of)),
      part,
    );
  if (!part.isBranch) {
    const skipped = Math.max(0, way.depth - limits.threadAncestors - 1);
    return { ancestors, skipped, post, ...treeOf(), total: way.below };
  }
  // A branch of another discussion, or one that is gone.
  const found =
    branch?.root_id === rootId ? { ...treeOf(), total: branch.below } : { replies: [], next: null, total: 0 };
  return { ancestors: [], skipped: 0, post, ...found };
}

const walk = (db: Kysely<Schema>, { of, order, after, limit }: Part): Promise<NodeRow[]> =>
  order === 'newest'
    ? treeNewestFirst(db, { of, after: after ?? Number.MAX_SAFE_INTEGER, limit })
    : treeOldestFirst(db, { of, after: after ?? 0, limit });

async function findWay(db: Kysely<Schema>, id: number): Promise<Way> {
  const rows = await wayTo(db, { id });
  const last = rows.at(-1);
  return { rows, depth: last?.depth ?? 0, below: last ? belowOf(last) : 0 };
}

/** Finds in memory what `wayTo` finds in the database. Undefined if the post is not in the discussion. */
function wayIn(root: AncestorRow, all: readonly ReplyRow[], id: number): Way | undefined {
  if (root.id === id) return { rows: [root], depth: 0, below: belowOf(root) };
  const replies = new Map(all.map((row) => [row.node_id, row]));
  const rows: AuthoredRow[] = [];
  let depth = 0;
  for (let at: number | null = id; at !== root.id; depth += 1) {
    const row: ReplyRow | undefined = replies.get(at!);
    if (!row) return undefined;
    if (depth <= limits.threadAncestors && isShown(row)) rows.push(placed(row, root.id, row.above_id));
    at = row.above_id;
  }
  return { rows: [root, ...rows.toReversed()], depth, below: replies.get(id)!.below };
}

const belowOf = ({ replies_count, gaps_count }: AncestorRow): number => replies_count + gaps_count;

/** Every reply in a discussion, and every restored one, touches the tag of its root. */
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

function toFound(row: NodeRow, rootId: number, of: number): FoundNode {
  const { node_id: id, above_id: aboveId, nth, distance, below } = row;
  const post = isShown(row) ? toQuoted(placed(row, rootId, aboveId ?? of)) : null;
  return { id, aboveId, nth, distance, below, post };
}

type ShownRow = ReplyRow & AuthoredRow;

/** Not a gap, nor the post of a deleted account. */
const isShown = (row: ReplyRow): row is ShownRow => row.username !== null;
