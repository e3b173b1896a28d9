import { type Selectable, sql } from 'kysely';
import { type DiscussionRules, ruleColumns } from '#contract/reply-rules.ts';
import { isIn, states } from '../../db/all-posts.ts';
import type { Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasVisibleAuthor } from '../../db/visibility.ts';
import { authorColumns, type Names, postColumns } from './post-rows.ts';

// A place in a thread is a shown post, or a gap: a post in another state with places below it. Each post counts its direct replies: the
// shown ones, the gaps, and those that are no places. A root post also counts the shown replies of its thread. A post that is gone
// keeps its row while it has replies of any kind. Rows are locked from the deeper post towards the root.

type Stored = Selectable<Schema['all_posts']>;

/** Increments of the counts of a post. `thread` is added only at a root post. */
interface Change {
  replies: number;
  gaps: number;
  hidden: number;
  thread: number;
}

export const placeColumns = [
  'id',
  'user_id',
  'parent_post_id',
  'replied_post_id',
  'state',
  'is_place',
  'replies_count',
  'gaps_count',
  'hidden_count',
  ...ruleColumns,
] as const;

/** A post as a part of its thread. */
export type Place = Pick<Stored, (typeof placeColumns)[number]>;

type RepliedPost = Pick<Selectable<Schema['posts']>, (typeof postColumns)[number] | 'depth'> & Names;

/** The author of the changed post, because an update cannot join. */
const authorOfPost = authorColumns.map((column) =>
  sql<never>`(select ${sql.ref(`users.${column}`)} from users where users.id = all_posts.user_id)`.as(column),
);
const countNewReply = prepared<{ id: number }, RepliedPost>((db, slot) =>
  db
    .updateTable('all_posts')
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
    .where(isIn('shown'))
    .where(hasVisibleAuthor('all_posts'))
    .returning([...postColumns, 'depth'])
    .returning(authorOfPost)
    .$castTo<RepliedPost>(),
);

const changeCounts = prepared<Change & { id: number }, Place>((db, slot) =>
  db
    .updateTable('all_posts')
    .set((eb) => ({
      replies_count: eb('replies_count', '+', slot('replies')),
      gaps_count: eb('gaps_count', '+', slot('gaps')),
      hidden_count: eb('hidden_count', '+', slot('hidden')),
      thread_count: eb
        .case()
        .when('replied_post_id', 'is', null)
        .then(eb('thread_count', '+', slot('thread')))
        .else(0)
        .end(),
    }))
    .where('id', '=', slot('id'))
    .returning(placeColumns),
);

const setPlace = prepared<{ id: number; isPlace: number }, never>((db, slot) =>
  db
    .updateTable('all_posts')
    .set({ is_place: slot('isPlace') })
    .where('id', '=', slot('id')),
);

const removeRow = prepared<{ id: number }, never>((db, slot) =>
  db.deleteFrom('all_posts').where('id', '=', slot('id')),
);

const none: Change = { replies: 0, gaps: 0, hidden: 0, thread: 0 };

/** Counts a new reply to a post, for the post and its root. Undefined when there is no such post. */
export async function countReplyIn(
  tx: Tx,
  id: number,
): Promise<(RepliedPost & { rootId: number; rootOwnerId: number | undefined; rules: DiscussionRules }) | undefined> {
  const [replied] = await countNewReply(tx.db, { id });
  if (!replied) return undefined;
  const { parent_post_id: rootId } = replied;
  if (rootId === null) return { ...replied, rootId: id, rootOwnerId: replied.user_id, rules: replied };
  const root = (await change(tx, rootId, { ...none, thread: 1 }))!;
  return { ...replied, rootId, rootOwnerId: ownerIfShown(root), rules: root };
}

const ownerIfShown = ({ state, user_id: userId }: Place): number | undefined =>
  state === states.shown ? userId! : undefined;

/** What a post is for the post above it; undefined: it has no row any more. */
type Kind = 'replies' | 'gaps' | 'hidden' | undefined;

const kindOf = ({ state, is_place: isPlace }: Pick<Place, 'state' | 'is_place'>): Kind =>
  state === states.shown ? 'replies' : isPlace === 1 ? 'gaps' : 'hidden';

/** Increments that replace one kind by another. */
function between(from: Kind, to: Kind): Omit<Change, 'thread'> {
  const is = (kind: Kind) => Number(to === kind) - Number(from === kind);
  return { replies: is('replies'), gaps: is('gaps'), hidden: is('hidden') };
}

/** The kind that a post must be according to its state and counts. */
function dueKind(post: Place): Kind {
  if (post.state === states.shown) return 'replies';
  if (post.replies_count + post.gaps_count > 0) return 'gaps';
  return post.state === states.gone && post.hidden_count === 0 ? undefined : 'hidden';
}

/**
 * Moves a post in its thread after its state or its counts have changed, and removes the row of a post that is gone and has no replies.
 * Resolves to the shown posts above whose counts have changed.
 */
export async function moveInThread(
  tx: Tx,
  before: Pick<Place, 'state' | 'is_place'>,
  post: Place,
  gapsRemaining = gapsAtOnce,
): Promise<Place[]> {
  const [from, to] = [kindOf(before), dueKind(post)];
  await store(tx, post, to);
  const { parent_post_id: rootId, replied_post_id: repliedTo } = post;
  if (repliedTo === null || rootId === null || from === to) return [];
  const by = between(from, to);
  const isRoot = repliedTo === rootId;
  const above = [await change(tx, repliedTo, { ...by, thread: isRoot ? by.replies : 0 }, gapsRemaining)];
  if (!isRoot && by.replies !== 0) above.push(await change(tx, rootId, { ...none, thread: by.replies }));
  return above.flatMap((each) => (each?.state === states.shown ? each : []));
}

/** Gaps that one transaction closes, so that other writers do not wait long. */
const gapsAtOnce = 100;

/** Closes a gap that has nothing below it, and each gap above it that then has nothing below it either. */
export const closeGaps = async (tx: Tx, id: number): Promise<void> => void (await change(tx, id, none));

/**
 * Changes the counts of a post. If it becomes a gap, or a gap ends, the post above counts this too. Such a chain may be as long as a
 * thread is deep, so after `gapsRemaining` gaps a job closes the others. Until then the post above still counts the first of them.
 * Undefined: the chain of gaps that is closed reached the root, whose row is removed.
 */
async function change(tx: Tx, id: number, by: Change, gapsRemaining = gapsAtOnce): Promise<Place | undefined> {
  const [post] = await changeCounts(tx.db, { id, ...by });
  if (!post || kindOf(post) === dueKind(post)) return post;
  if (kindOf(post) === 'gaps' && gapsRemaining === 0) {
    await schedule(tx, { name: 'close-gaps', key: String(id), at: 0 });
  } else {
    tx.touch(`post:${post.parent_post_id ?? id}`);
    await moveInThread(tx, post, post, gapsRemaining - 1);
  }
  return post;
}

async function store({ db }: Tx, { id, is_place: isPlace }: Place, to: Kind): Promise<void> {
  const due = to === 'replies' || to === 'gaps' ? 1 : 0;
  if (to === undefined) await removeRow(db, { id });
  else if (isPlace !== due) await setPlace(db, { id, isPlace: due });
}

type HiddenReply = Pick<Stored, 'parent_post_id' | 'replied_post_id' | 'depth'>;

const countHidden = prepared<{ id: number; rootId: number | null; depth: number }, Place>((db, slot) =>
  db
    .insertInto('all_posts')
    .values({
      id: slot('id'),
      user_id: null,
      text: null,
      created_at: 0,
      parent_post_id: slot('rootId'),
      replied_post_id: slot('rootId'),
      depth: slot('depth'),
      state: states.gone,
      is_place: 0,
      hidden_count: 1,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ hidden_count: (eb) => eb('all_posts.hidden_count', '+', 1) }),
    )
    .returning(placeColumns),
);

/**
 * Counts a withdrawn reply that has never been shown. The post above may be gone with its row. Its place is not known then, so it
 * gets a row directly below the root.
 */
export async function countHiddenReply(
  tx: Tx,
  { parent_post_id: root, replied_post_id: id, depth }: HiddenReply,
): Promise<void> {
  if (id === null) return;
  const [above] = await countHidden(
    tx.db,
    id === root ? { id, rootId: null, depth: 0 } : { id, rootId: root, depth: depth - 1 },
  );
  const { replied_post_id: repliedTo, replies_count: replies, gaps_count: gaps, hidden_count: hidden } = above!;
  const isNew = above!.state === states.gone && above!.is_place === 0 && replies + gaps + hidden === 1;
  if (isNew && repliedTo !== null) {
    await countHiddenReply(tx, { parent_post_id: root, replied_post_id: repliedTo, depth: depth - 1 });
  }
}
