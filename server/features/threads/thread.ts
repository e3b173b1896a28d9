import { type Kysely, type RawBuilder, sql } from 'kysely';
import { limits, serverLimits } from '#contract/limits.ts';
import type { Post, Thread } from '#contract/posts.ts';
import type { Tag } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import {
  type AuthoredRow,
  authorColumns,
  contentColumns,
  nameColumns,
  type Names,
  nodeColumns,
  placed,
  postColumns,
  toQuoted,
} from '../posts/post-rows.ts';
import { type FoundNode, type Part, postsOfThread, toTree, walkIn } from './thread-rules.ts';

// These queries cost the same for a thread of any size: they read through indexes and stop after a number of rows.

type AncestorRow = AuthoredRow & { depth: number; gaps_count: number };

/** From the root down: the root, the nearest posts above a post, and the post itself. Posts that are gone are missing. */
const wayTo = prepared<{ id: number }, AncestorRow>((db, slot) =>
  db
    .selectFrom(
      sql<{ id: number }>`(
        with recursive way (id, step) as (
          select cast(${slot('id')} as bigint), 0
          union all
          select (select p.replied_post_id from all_posts p where p.id = way.id), step + 1
          from way where step < ${sql.lit(serverLimits.threadAncestors)} and id is not null
        )
        select id from way where id is not null
        union
        select parent_post_id from posts where id = ${slot('id')} and parent_post_id is not null
      )`.as('w'),
    )
    // An inner join would make SQLite read all posts first.
    .crossJoin('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u')))
    .select(postColumns.map((column) => `p.${column}` as const))
    .select([...nameColumns, 'p.depth', 'p.gaps_count'])
    .whereRef('p.id', '=', 'w.id')
    .orderBy('p.id'),
);

/** The root of a post's discussion; no row if the root is gone. */
const rootOf = prepared<{ id: number }, AncestorRow>((db, slot) =>
  db
    .selectFrom('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u')))
    .select(postColumns.map((column) => `p.${column}` as const))
    .select([...nameColumns, 'p.depth', 'p.gaps_count'])
    .where('p.id', '=', rootIdOf(slot('id'))),
);

/**
 * The columns of the post are null for a gap, which is the place of a deleted or removed post that has replies. `username` is also
 * null for the post of a deleted account.
 */
type ReplyRow = { node_id: number; above_id: number | null; below: number } & {
  [C in (typeof nodeColumns)[number] | keyof Names]: AuthoredRow[C] | null;
};

type NodeRow = ReplyRow & { nth: number; distance: number };

const rootIdOf = (id: number): RawBuilder<number> =>
  sql`coalesce((select parent_post_id from posts where id = ${id}), ${id})`;

/** A subquery for the root of a post's discussion; empty if the discussion is large. It runs once per query. */
const smallRootOf = (id: number) => sql<number>`(
    select id from all_posts
    where id = ${rootIdOf(id)} and is_place = 1 and thread_count <= ${sql.lit(serverLimits.threadNodes)}
  )`;

const isContent = (column: string): boolean => contentColumns.some((each) => each === column);

/** The columns of a place `p` and of its author `u`. A gap has no author, and what its author wrote stays in the database. */
const nodeOf = sql.join([
  ...nodeColumns.map((column) =>
    isContent(column)
      ? sql`case when p.state = 0 then ${sql.ref(`p.${column}`)} end as ${sql.ref(column)}`
      : sql.ref(`p.${column}`),
  ),
  ...authorColumns.map((column) => sql.ref(`u.${column}`)),
]);

const joinAuthor = sql`left join users u on u.id = p.user_id and p.state = 0 and ${isNotDeleted('u')}`;

/**
 * All replies and gaps in the discussion of a post, in any order. Returns nothing if there are more than `threadNodes`
 * replies, and more than `threadNodes` rows if there are too many gaps. Takes half the time of a walk through the discussion.
 */
const smallThread = prepared<{ id: number }, ReplyRow>((db, slot) =>
  db
    .selectFrom(
      sql<ReplyRow>`(
        select ${nodeOf}, p.id as node_id, p.replied_post_id as above_id, p.replies_count + p.gaps_count as below
        from all_posts p ${joinAuthor}
        where p.parent_post_id = ${smallRootOf(slot('id'))} and p.is_place = 1
        limit ${sql.lit(serverLimits.threadNodes + 1)}
      )`.as('nodes'),
    )
    .selectAll(),
);

/** Rows of the walk until it has passed `threadNodes` nodes: the first level, and two steps from each node before the last. */
const maxWalkedRows = limits.pageSizeMax + 1 + 2 * (serverLimits.threadNodes - 1);

interface PartParams {
  of: number;
  after: number;
  limit: number;
}

/**
 * The replies to a post and the nodes below them. From every node the walk goes to its first reply and to its next
 * sibling, so it never reads a list of replies as a whole. It passes all nodes of one distance before it goes to the next
 * distance, so both engines find the same nearest nodes. A row without an id ends a list.
 */
const treeIn = (order: 'asc' | 'desc') => {
  const further = sql.raw(order === 'asc' ? '>' : '<');
  const direction = sql.raw(order);
  return prepared<PartParams, NodeRow>((db, slot) =>
    db
      .selectFrom(
        sql<NodeRow>`(
          with recursive walk (id, above_id, nth, distance) as (
            select id, cast(null as bigint), nth, case when nth > ${slot('limit')} then -1 else 0 end
            from (
              select id, row_number() over (order by id ${direction}) as nth
              from (
                select id from all_posts
                where replied_post_id = ${slot('of')} and is_place = 1 and id ${further} ${slot('after')}
                order by id ${direction} limit ${slot('limit')} + 1
              ) first_level
            ) numbered
            union all
            select
              (
                select min(n.id) from all_posts n
                where n.replied_post_id = case sideways when 1 then walk.above_id else walk.id end
                  and n.is_place = 1 and n.id > case sideways when 1 then walk.id else 0 end
              ),
              case sideways when 1 then walk.above_id else walk.id end,
              case sideways when 1 then walk.nth + 1 else 1 end,
              walk.distance + 1
            from walk cross join (select 0 as sideways union all select 1) step
            where walk.id is not null and walk.distance between 0 and ${sql.lit(serverLimits.threadNodes - 2)}
              and (sideways = 0 or (walk.above_id is not null and walk.nth < ${sql.lit(serverLimits.threadBranch)}))
          ), passed as (
            select * from (select * from walk limit ${sql.lit(maxWalkedRows)}) walked
            where id is not null order by distance, id limit ${sql.lit(serverLimits.threadNodes + 1)}
          )
          select ${nodeOf}, w.id as node_id, w.above_id, w.nth, w.distance, coalesce(p.replies_count + p.gaps_count, 0) as below
          from passed w left join all_posts p on p.id = w.id ${joinAuthor}
        )`.as('nodes'),
      )
      .selectAll(),
  );
};

const treeNewestFirst = treeIn('desc');
const treeOldestFirst = treeIn('asc');

/** Number of direct replies of a post or gap, gaps included, and the thread it is in. */
const branchCounts = prepared<{ id: number }, { root_id: number; below: number }>((db, slot) =>
  db
    .selectFrom('all_posts')
    .select([
      sql<number>`coalesce(parent_post_id, id)`.as('root_id'),
      sql<number>`replies_count + gaps_count`.as('below'),
    ])
    .where('id', '=', slot('id'))
    .where('is_place', '=', 1),
);

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
  const isWhole = all.length <= serverLimits.threadNodes && (all.length > 0 || root?.thread_count === 0);
  // This must come before `walkIn`, which replaces `above_id`.
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
    const skipped = Math.max(0, way.depth - serverLimits.threadAncestors - 1);
    return { ancestors, skipped, post, ...treeOf(), total: way.below };
  }
  // The branch is empty if its post is gone or belongs to another discussion.
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
    if (depth <= serverLimits.threadAncestors && isShown(row)) rows.push(placed(row, root.id, row.above_id));
    at = row.above_id;
  }
  return { rows: [root, ...rows.toReversed()], depth, below: replies.get(id)!.below };
}

const belowOf = ({ replies_count, gaps_count }: AncestorRow): number => replies_count + gaps_count;

/**
 * The tag of the root stands for everything that the response does not show, gaps and further replies: each reply that is written,
 * deleted or restored touches this tag.
 */
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

/** False for a gap and for the post of a deleted account. */
const isShown = (row: ReplyRow): row is ShownRow => row.username !== null;
