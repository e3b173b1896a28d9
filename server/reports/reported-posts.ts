import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

export interface ReportOfPost {
  postId: number;
  by: string;
  at: number;
  reasonId: string;
  /** As it was when it was reported. */
  text: string;
  isOpen: boolean;
}

export interface ReportedPost {
  id: number;
  author: string;
  state: 'visible' | 'changed' | 'hidden' | 'deleted';
  open: number;
  all: number;
  /** Newest first. */
  reports: ReportOfPost[];
}

const countOpen = sql<number>`count(*) filter (where r.settled_at is null)`;

/** Posts that somebody has reported: those with open reports first, then the newest reports. */
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
    .where('u.deleted_at', 'is', null)
    .execute();
  const hidden = await db.selectFrom('hidden_posts').select('id').where('id', 'in', ids).execute();
  const texts = new Map(shown.map(({ id, text }) => [id, text]));
  const hiddenIds = new Set(hidden.map(({ id }) => id));
  return (id, text) => {
    const now = texts.get(id);
    if (now !== undefined) return now === text ? 'visible' : 'changed';
    return hiddenIds.has(id) ? 'hidden' : 'deleted';
  };
}
