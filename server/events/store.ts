import { type Kysely, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';

type Row = Schema['visible_changes'];
export type ChangeRow = Omit<Row, 'created_at'>;

interface Change {
  kind: Row['kind'];
  postId: number;
  ownerId: number;
  repliedTo: number | null;
  /** Whose unread answers it may change. */
  answeredId?: number | undefined;
  now: number;
}

const insertChange = prepared<Omit<Change, 'answeredId'> & { answeredId: number | null }, never>((db, slot) =>
  db.insertInto('changes').values({
    kind: slot('kind'),
    post_id: slot('postId'),
    owner_id: slot('ownerId'),
    replied_post_id: slot('repliedTo'),
    answered_id: slot('answeredId'),
    created_at: slot('now'),
  }),
);

/** Has readers of events hear of what this transaction writes. */
export async function recordChange({ db }: Tx, change: Change): Promise<void> {
  await insertChange(db, { ...change, answeredId: change.answeredId ?? null });
}

/** Has a person, and nobody else, hear that what they have not read may be something else now. */
export async function recordReading(tx: Tx, userId: number, now: number): Promise<void> {
  await recordChange(tx, { kind: 'read', postId: 0, ownerId: userId, repliedTo: null, answeredId: userId, now });
  tx.touch(`answers:${userId}`);
}

const newest = prepared<object, { position: number | null }>((db) =>
  db.selectFrom('visible_changes').select(sql<number | null>`max(position)`.as('position')),
);

/** Up to where changes can be told now. */
export async function latestPosition(db: Kysely<Schema>): Promise<number> {
  const [row] = await newest(db, {});
  return row?.position ?? 0;
}

const newestAtAll = prepared<object, { position: number | null }>((db) =>
  db.selectFrom('changes').select(sql<number | null>`max(position)`.as('position')),
);

/** Whether there is more to come that cannot be told yet. */
export async function hasChangesAfter(db: Kysely<Schema>, position: number): Promise<boolean> {
  const [row] = await newestAtAll(db, {});
  return (row?.position ?? 0) > position;
}

const rowsAfter = prepared<{ position: number; limit: number }, ChangeRow>((db, slot) =>
  db
    .selectFrom('visible_changes')
    .select(['position', 'kind', 'post_id', 'owner_id', 'replied_post_id', 'answered_id'])
    .where('position', '>', slot('position'))
    .orderBy('position')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/** What came after a position, in order; undefined when it is more than `atMost`. */
export async function changesAfter(
  db: Kysely<Schema>,
  position: number,
  atMost: number,
): Promise<ChangeRow[] | undefined> {
  const rows = await rowsAfter(db, { position, limit: atMost + 1 });
  return rows.length > atMost ? undefined : rows;
}

const rowUpTo = prepared<{ position: number }, { position: number }>((db, slot) =>
  db
    .selectFrom('visible_changes')
    .select('position')
    .where('position', '<=', slot('position'))
    .limit(sql<number>`1`),
);

/** Whether nothing that came after the position has been removed: then what came before it is still there. */
export async function reachesBackTo(db: Kysely<Schema>, position: number): Promise<boolean> {
  return (await rowUpTo(db, { position })).length > 0;
}

export interface PostState {
  id: number;
  text: string;
  is_modified: number;
  likes_count: number;
  replies_count: number;
}

/** Ids at a time: a query of one size is compiled once. */
const batch = 100;

const states = prepared<Record<`id${number}`, number>, PostState>((db, slot) =>
  db
    .selectFrom('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on('u.deleted_at', 'is', null))
    .select(['p.id', 'p.text', 'p.is_modified', 'p.likes_count', 'p.replies_count'])
    .where(
      'p.id',
      'in',
      Array.from({ length: batch }, (_, i) => slot(`id${i}`)),
    ),
);

/** The posts as they are now; those that are gone, by themselves or with their authors' accounts, are missing. */
export async function findStates(db: Kysely<Schema>, ids: readonly number[]): Promise<PostState[]> {
  const found: PostState[] = [];
  for (let from = 0; from < ids.length; from += batch) {
    const params: Record<`id${number}`, number> = {};
    for (let i = 0; i < batch; i += 1) params[`id${i}`] = ids[from + i] ?? 0;
    found.push(...(await states(db, params)));
  }
  return found;
}
