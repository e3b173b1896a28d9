import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';

interface Report {
  post: { id: number; user_id: number; text: string };
  userId: number;
  reasonId: string;
  now: number;
}

/** Stores a report with the current text of the post. A person can report a post once. */
export async function addReport({ db }: Tx, { post, userId, reasonId, now }: Report): Promise<void> {
  await db
    .insertInto('reports')
    .values({
      post_id: post.id,
      user_id: userId,
      owner_id: post.user_id,
      reason_id: reasonId,
      text: post.text,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())
    .execute();
}

export async function hasReported({ db }: Tx, postId: number, userId: number): Promise<boolean> {
  const report = await db
    .selectFrom('reports')
    .select('id')
    .where('post_id', '=', postId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return report !== undefined;
}

/** Resolves to the number of reports that were open. */
export async function settleReports({ db }: Tx, postId: number, now: number): Promise<number> {
  const settled = await db
    .updateTable('reports')
    .set({ settled_at: now })
    .where('post_id', '=', postId)
    .where('settled_at', 'is', null)
    .returning('id')
    .execute();
  return settled.length;
}

export interface ReportOfPost {
  postId: number;
  by: string;
  at: number;
  reasonId: string;
  /** The text at the time of the report. */
  text: string;
  isOpen: boolean;
}

export interface ReportedPost {
  id: number;
  author: string;
  state: 'visible' | 'changed' | 'removed' | 'deleted';
  open: number;
  all: number;
  /** The newest first. */
  reports: ReportOfPost[];
}

const countOpen = sql<number>`count(*) filter (where r.settled_at is null)`;

/** Reported posts: those with open reports first, then in the order of their newest reports. */
export async function listReportedPosts(
  db: Kysely<Schema>,
  { onlyOpen, limit }: { onlyOpen: boolean; limit: number },
): Promise<ReportedPost[]> {
  const heads = await db
    .selectFrom('reports as r')
    .innerJoin('users as u', 'u.id', 'r.owner_id')
    .select(['r.post_id', 'u.username', countOpen.as('open'), (eb) => eb.fn.countAll<number>().as('all')])
    .$if(onlyOpen, (query) =>
      query.where('r.post_id', 'in', (eb) =>
        eb.selectFrom('reports').select('post_id').where('settled_at', 'is', null),
      ),
    )
    .groupBy(['r.post_id', 'u.username'])
    .orderBy(sql`case when ${countOpen} > 0 then 0 else 1 end`)
    .orderBy((eb) => eb.fn.max('r.id'), 'desc')
    .limit(limit)
    .execute();
  if (heads.length === 0) return [];

  const ids = heads.map(({ post_id: id }) => id);
  const reports = Map.groupBy(await reportsOf(db, ids), ({ postId }) => postId);
  const stateOf = await statesOf(db, ids);
  return heads.map(({ post_id: id, username, open, all }) => {
    const own = reports.get(id)!;
    return { id, author: username, state: stateOf(id, own[0]!.text), open, all, reports: own };
  });
}

async function reportsOf(db: Kysely<Schema>, ids: number[]): Promise<ReportOfPost[]> {
  const rows = await db
    .selectFrom('reports as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['r.post_id', 'r.created_at', 'r.reason_id', 'r.text', 'r.settled_at', 'u.username'])
    .where('r.post_id', 'in', ids)
    .orderBy('r.id', 'desc')
    .execute();
  return rows.map((row) => ({
    postId: row.post_id,
    by: row.username,
    at: row.created_at,
    reasonId: row.reason_id,
    text: row.text,
    isOpen: row.settled_at === null,
  }));
}

async function statesOf(
  db: Kysely<Schema>,
  ids: number[],
): Promise<(id: number, text: string) => ReportedPost['state']> {
  const shown = await db
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.text'])
    .where('p.id', 'in', ids)
    .where(isNotDeleted('u'))
    .execute();
  const removed = await db
    .selectFrom('removed_posts')
    .select('id')
    .where('id', 'in', ids)
    .where('by_author', '=', 0)
    .execute();
  const texts = new Map(shown.map(({ id, text }) => [id, text]));
  const removedIds = new Set(removed.map(({ id }) => id));
  return (id, text) => {
    const now = texts.get(id);
    if (now !== undefined) return now === text ? 'visible' : 'changed';
    return removedIds.has(id) ? 'removed' : 'deleted';
  };
}
