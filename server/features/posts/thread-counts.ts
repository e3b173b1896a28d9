import type { ExpressionBuilder, Selectable } from 'kysely';
import type { ReplyRules } from '#contract/reply-rules.ts';
import type { Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasVisibleAuthor } from '../../db/visibility.ts';
import { type Names, postColumns, ruleColumns } from './post-rows.ts';

// A place in a thread is a row in `posts` or, when the post is gone while there are replies to it, in `thread_gaps`. Both
// count their direct replies, and the root counts its thread. Rows are locked from the deeper post towards the root.

type Posts = Selectable<Schema['posts']>;

/** Where a post is in its thread. */
export type Position = Pick<Posts, 'id' | 'parent_post_id' | 'replied_post_id' | 'depth' | 'pace' | 'closed_by'>;

/** Increments of the counts of a place. `thread` is added only at a root. */
interface Change {
  replies: number;
  gaps: number;
  thread: number;
}

const counted = ['replies_count', 'gaps_count', 'thread_count'] as const;
const placed = ['parent_post_id', 'replied_post_id', 'depth', ...ruleColumns] as const;

type RepliedPost = Pick<Posts, (typeof postColumns)[number] | 'depth'> & Names;

const authors = <Column extends keyof Names>(eb: ExpressionBuilder<Schema, 'posts'>, column: Column) =>
  eb.selectFrom('users').select(`users.${column}`).whereRef('users.id', '=', 'posts.user_id').$asScalar();

const countNewReply = prepared<{ id: number }, RepliedPost>((db, slot) =>
  db
    .updateTable('posts')
    .set((eb) => ({
      replies_count: eb('replies_count', '+', 1),
      // A post that is itself the root also counts the reply in its thread.
      thread_count: eb
        .case()
        .when('replied_post_id', 'is', null)
        .then(eb('thread_count', '+', 1))
        .else(0)
        .end(),
    }))
    .where('id', '=', slot('id'))
    .where(hasVisibleAuthor)
    .returning([...postColumns, 'depth'])
    .returning((eb) => [
      authors(eb, 'username').$notNull().as('username'),
      authors(eb, 'display_name').as('display_name'),
      authors(eb, 'face').as('face'),
      authors(eb, 'newcomer_until').as('newcomer_until'),
      authors(eb, 'is_namesake').$notNull().as('is_namesake'),
    ]),
);

const changePost = prepared<Change & { id: number }, Omit<ChangedPost, 'id'>>((db, slot) =>
  db
    .updateTable('posts')
    .set((eb) => ({
      replies_count: eb('replies_count', '+', slot('replies')),
      gaps_count: eb('gaps_count', '+', slot('gaps')),
      thread_count: eb
        .case()
        .when('replied_post_id', 'is', null)
        .then(eb('thread_count', '+', slot('thread')))
        .else(0)
        .end(),
    }))
    .where('id', '=', slot('id'))
    .returning(['user_id', 'replied_post_id', ...ruleColumns]),
);

type Gap = Selectable<Schema['thread_gaps']>;

const changeGap = prepared<Change & { id: number }, Gap>((db, slot) =>
  db
    .updateTable('thread_gaps')
    .set((eb) => ({
      replies_count: eb('replies_count', '+', slot('replies')),
      gaps_count: eb('gaps_count', '+', slot('gaps')),
      thread_count: eb('thread_count', '+', slot('thread')),
    }))
    .where('id', '=', slot('id'))
    .returningAll(),
);

const removeGap = prepared<{ id: number }, Gap>((db, slot) =>
  db.deleteFrom('thread_gaps').where('id', '=', slot('id')).returningAll(),
);

/** Opens a gap. When a concurrent transaction has opened it too, the counts of both are added. */
const openedGap = prepared<Gap, Gap>((db, slot) =>
  db
    .insertInto('thread_gaps')
    .values({
      id: slot('id'),
      parent_post_id: slot('parent_post_id'),
      replied_post_id: slot('replied_post_id'),
      depth: slot('depth'),
      pace: slot('pace'),
      closed_by: slot('closed_by'),
      replies_count: slot('replies_count'),
      gaps_count: slot('gaps_count'),
      thread_count: slot('thread_count'),
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        replies_count: (eb) => eb('thread_gaps.replies_count', '+', eb.ref('excluded.replies_count')),
        gaps_count: (eb) => eb('thread_gaps.gaps_count', '+', eb.ref('excluded.gaps_count')),
        thread_count: (eb) => eb('thread_gaps.thread_count', '+', eb.ref('excluded.thread_count')),
      }),
    )
    .returningAll(),
);

const removedPosition = prepared<{ id: number }, Position>((db, slot) =>
  db
    .selectFrom('removed_posts')
    .select(['id', ...placed])
    .where('id', '=', slot('id')),
);

/** A post whose counts have changed. */
export type ChangedPost = Pick<Posts, 'id' | 'user_id' | 'replied_post_id' | 'pace' | 'closed_by'>;

/** Counts a new reply to a post, for the post and its root. Undefined when there is no such post. */
export async function countReplyIn(
  tx: Tx,
  id: number,
): Promise<(RepliedPost & { rootId: number; root: ChangedPost | undefined; rules: ReplyRules }) | undefined> {
  const [replied] = await countNewReply(tx.db, { id });
  if (!replied) return undefined;
  const { parent_post_id: rootId } = replied;
  if (rootId === null) return { ...replied, rootId: id, root: replied, rules: rulesOf(replied) };
  const root = await change(tx, rootId, { ...none, thread: 1 });
  return { ...replied, rootId, root: root?.post, rules: root?.rules ?? noRules };
}

type Counts = Pick<Posts, (typeof counted)[number]>;

/** Takes a post that is about to be deleted out of its thread. While there are replies to it, a gap remains. */
export async function leaveThread(tx: Tx, post: Position & Counts): Promise<void> {
  const leavesGap = post.replies_count + post.gaps_count > 0;
  if (leavesGap) await openedGap(tx.db, gapOf(post, post));
  if (post.replied_post_id === null) return;
  const isBelowRoot = post.replied_post_id === post.parent_post_id;
  await change(tx, post.replied_post_id, { replies: -1, gaps: leavesGap ? 1 : 0, thread: isBelowRoot ? -1 : 0 });
  if (!isBelowRoot) await change(tx, post.parent_post_id!, { ...none, thread: -1 });
}

/** Puts a post back into its thread. Resolves to its counts, and to the posts above it whose counts now include it. */
export async function rejoinThread(
  tx: Tx,
  post: Position,
): Promise<{ counts: Counts & ReplyRules; above: ChangedPost[] }> {
  const [gap] = await removeGap(tx.db, { id: post.id });
  // The discussion may have been closed while the post was gone, which is stored in the gap.
  const rules = rulesOf(gap ?? post);
  const counts = { ...pick(gap ?? { replies_count: 0, gaps_count: 0, thread_count: 0 }), ...rules };
  if (post.replied_post_id === null) return { counts, above: [] };
  const isBelowRoot = post.replied_post_id === post.parent_post_id;
  const by = { replies: 1, gaps: gap ? -1 : 0, thread: isBelowRoot ? 1 : 0 };
  const replied = await changeOrOpen(tx, { id: post.replied_post_id, by, below: post });
  const root = isBelowRoot ? undefined : await change(tx, post.parent_post_id!, { ...none, thread: 1 });
  return { counts, above: [replied?.post, root?.post].filter((changed) => changed !== undefined) };
}

/** Gaps that one transaction closes, so that other writers do not wait long. */
const gapsAtOnce = 100;

const noRules: ReplyRules = { pace: 0, closed_by: null };

const rulesOf = ({ pace, closed_by }: ReplyRules): ReplyRules => ({ pace, closed_by });

const none: Change = { replies: 0, gaps: 0, thread: 0 };

const pick = ({ replies_count, gaps_count, thread_count }: Counts): Counts => ({
  replies_count,
  gaps_count,
  thread_count,
});

const gapOf = ({ id, parent_post_id, replied_post_id, depth, pace, closed_by }: Position, counts: Counts): Gap => ({
  id,
  parent_post_id,
  replied_post_id,
  depth,
  pace,
  closed_by,
  ...pick(counts),
});

/** Closes a gap without replies, and the gaps above it that have no other replies. */
export const closeGaps = async (tx: Tx, id: number): Promise<void> => void (await change(tx, id, none));

/** Changes the counts of a post or gap; undefined if neither exists. Removes a gap without replies. */
async function change(
  tx: Tx,
  id: number,
  by: Change,
  gapsRemaining = gapsAtOnce,
): Promise<{ post?: ChangedPost; rules: ReplyRules } | undefined> {
  // While this waits for a lock on the row, another transaction may move the place to the other table, and a third one back.
  for (let tries = 0; tries < 2; tries += 1) {
    const [post] = await changePost(tx.db, { id, ...by });
    if (post) return { post: { id, ...post }, rules: rulesOf(post) };
    const [gap] = await changeGap(tx.db, { id, ...by });
    if (!gap) continue;
    if (gap.replies_count + gap.gaps_count === 0) await closeGap(tx, gap, gapsRemaining);
    return { rules: rulesOf(gap) };
  }
  return undefined;
}

/**
 * Removes a gap, and then the gaps above it that become empty. Such a chain may be as long as a thread is deep, so after
 * `gapsRemaining` gaps a job removes the others. Until then the gap above still counts the first of them.
 */
async function closeGap(tx: Tx, gap: Gap, gapsRemaining: number): Promise<void> {
  const { id, parent_post_id: rootId, replied_post_id: repliedTo } = gap;
  if (gapsRemaining === 0) return schedule(tx, { name: 'close-gaps', key: String(id), at: 0 });
  await removeGap(tx.db, { id });
  tx.touch(`post:${rootId ?? id}`);
  if (repliedTo !== null) await change(tx, repliedTo, { ...none, gaps: -1 }, gapsRemaining - 1);
}

interface NewBelow {
  /** The place to count at. */
  id: number;
  by: Change;
  /** The row that is counted: a restored post, or a gap above it. */
  below: Position;
}

/** Like `change`, but opens the gap again if it was closed with its last reply. */
async function changeOrOpen(tx: Tx, { id, by, below }: NewBelow): Promise<{ post?: ChangedPost } | undefined> {
  const changed = await change(tx, id, by);
  if (changed) return changed;
  const [removed] = await removedPosition(tx.db, { id });
  const counts = { replies_count: by.replies, gaps_count: by.gaps, thread_count: by.thread };
  const [gap] = await openedGap(tx.db, gapOf(removed ?? unknownPosition(id, below), counts));
  const { replies_count: replies, gaps_count: gaps, replied_post_id: repliedTo } = gap!;
  if (replies + gaps === 1 && repliedTo !== null) {
    await changeOrOpen(tx, { id: repliedTo, by: { ...none, gaps: 1 }, below: gap! });
  }
  return {};
}

/** The position of a deleted post is not stored, so its gap is put directly below the root. */
function unknownPosition(id: number, { parent_post_id: rootId, depth }: Position): Position {
  if (id === rootId) return { id, parent_post_id: null, replied_post_id: null, depth: 0, ...noRules };
  return { id, parent_post_id: rootId, replied_post_id: rootId, depth: depth - 1, ...noRules };
}
