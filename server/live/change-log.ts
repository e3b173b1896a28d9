import { type Kysely, sql } from 'kysely';
import { type DiscussionRules, ruleColumns } from '#contract/reply-rules.ts';
import type { Tx } from '../db/database.ts';
import { prepared, preparedAmong } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { isNotDeleted } from '../db/visibility.ts';

type Row = Schema['visible_changes'];
export type ChangeRow = Omit<Row, 'created_at'>;

/** A position that never existed, which makes the subscriber reload. */
export const nowhere = Number.MAX_SAFE_INTEGER;

interface Change {
  kind: Row['kind'];
  postId: number;
  ownerId: number;
  repliedTo: number | null;
  /** Root of the thread of a reply. */
  rootId: number | null;
  now: number;
}

const insertChange = prepared<Change, never>((db, slot) =>
  db.insertInto('changes').values({
    kind: slot('kind'),
    post_id: slot('postId'),
    owner_id: slot('ownerId'),
    replied_post_id: slot('repliedTo'),
    root_post_id: slot('rootId'),
    created_at: slot('now'),
  }),
);

/** Records a change for the event streams and the jobs that read the log, in the transaction that makes it. */
export async function recordChange({ db }: Tx, change: Change): Promise<void> {
  await insertChange(db, change);
}

const newest = prepared<object, { position: number | null }>((db) =>
  db.selectFrom('visible_changes').select(sql<number | null>`max(position)`.as('position')),
);

/** Position of the newest visible change. */
export async function latestPosition(db: Kysely<Schema>): Promise<number> {
  const [row] = await newest(db, {});
  return row?.position ?? 0;
}

const newestStored = prepared<object, { position: number | null }>((db) =>
  db.selectFrom('changes').select(sql<number | null>`max(position)`.as('position')),
);

/** Position of the newest change, visible or not. */
export async function newestStoredPosition(db: Kysely<Schema>): Promise<number> {
  const [row] = await newestStored(db, {});
  return row?.position ?? 0;
}

const rowsAfter = prepared<{ position: number; limit: number }, ChangeRow>((db, slot) =>
  db
    .selectFrom('visible_changes')
    .select(['position', 'kind', 'post_id', 'owner_id', 'replied_post_id', 'root_post_id'])
    .where('position', '>', slot('position'))
    .orderBy('position')
    // On PostgreSQL several changes may share a position.
    .orderBy('post_id')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/** The visible changes after a position, in order; undefined when there are more than `atMost`. */
export async function changesAfter(
  db: Kysely<Schema>,
  position: number,
  atMost: number,
): Promise<ChangeRow[] | undefined> {
  const rows = await rowsAfter(db, { position, limit: atMost + 1 });
  return rows.length > atMost ? undefined : rows;
}

/**
 * The next `atMost` visible changes, whole positions only: changes at the position of the first change that does not fit are
 * left out, unless all of them are at this position.
 */
export async function changesFrom(
  db: Kysely<Schema>,
  position: number,
  atMost: number,
): Promise<{ rows: ChangeRow[]; upTo: number }> {
  const rows = await rowsAfter(db, { position, limit: atMost + 1 });
  const last = rows.at(-1)?.position ?? position;
  const isCut = rows.length > atMost && rows[0]!.position < last;
  const taken = isCut ? rows.filter((row) => row.position < last) : rows;
  return { rows: taken, upTo: isCut ? taken.at(-1)!.position : last };
}

/**
 * The posts whose likes or replies the changes are about, each once. Of a new post, this is the post to which it replies: nobody has
 * liked or answered the new one yet.
 */
export function changedPosts(rows: readonly ChangeRow[]): number[] {
  const ids = new Set<number>();
  for (const { kind, post_id: id, replied_post_id: replied } of rows) {
    if (kind !== 'new') ids.add(id);
    if (replied !== null) ids.add(replied);
  }
  return [...ids];
}

const rowUpTo = prepared<{ position: number }, { position: number }>((db, slot) =>
  db
    .selectFrom('visible_changes')
    .select('position')
    .where('position', '<=', slot('position'))
    .limit(sql<number>`1`),
);

/** Whether the log is complete after the position: a row at or before it shows that nothing later was removed. */
export async function reachesBackTo(db: Kysely<Schema>, position: number): Promise<boolean> {
  return (await rowUpTo(db, { position })).length > 0;
}

export interface PostState extends DiscussionRules {
  id: number;
  text: string;
  modified_at: number | null;
  likes_count: number;
  replies_count: number;
  thread_count: number;
  replied_post_id: number | null;
}

const atOnce = [100];

/** The current state of the posts. Deleted posts and posts of deleted accounts are left out. */
export const findStates = preparedAmong<number, PostState>(atOnce, (db, ids) =>
  db
    .selectFrom('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u')))
    .select(['p.id', 'p.text', 'p.modified_at', 'p.replied_post_id'])
    .select(['p.likes_count', 'p.replies_count', 'p.thread_count'])
    .select(ruleColumns.map((column) => `p.${column}` as const))
    .where('p.id', 'in', ids),
);

const lifts = preparedAmong<number, { root_post_id: number }>(atOnce, (db, ids) =>
  db.selectFrom('lifts').select('root_post_id').where('reply_id', 'in', ids).orderBy('reply_id'),
);

/** The root posts whose discussions these replies have lifted, in the order of the lifts. */
export async function findLifted(db: Kysely<Schema>, replyIds: readonly number[]): Promise<number[]> {
  return [...new Set((await lifts(db, replyIds)).map(({ root_post_id: id }) => id))];
}
