import { type Kysely, sql } from 'kysely';
import type { ModeratedPending } from '#contract/moderation.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { toPending } from './pending-posts.ts';
import { nameColumns, ownerOf } from './rows.ts';

/** The posts that wait for a moderator, without those of people who are blocked or gone. */
const selectPending = (db: Kysely<Schema>) =>
  db
    .selectFrom('pending_posts as w')
    .innerJoin('users as u', (join) =>
      join.onRef('u.id', '=', 'w.user_id').on(isNotDeleted('u')).on(isNotBlocked('u')),
    );

/** The posts that wait, those that have waited longest first, from above an id. */
export async function listPending(
  db: Kysely<Schema>,
  { limit, after = 0 }: { limit: number; after: number | undefined },
): Promise<ModeratedPending[]> {
  const rows = await selectPending(db)
    .leftJoin('posts as q', 'q.id', 'w.replied_post_id')
    .leftJoin('users as qu', (join) => join.onRef('qu.id', '=', 'q.user_id').on(isNotDeleted('qu')))
    .selectAll('w')
    .select([...nameColumns, 'q.text as q_text', 'q.user_id as q_user_id'])
    .select(['qu.username as q_username', 'qu.display_name as q_display_name'])
    .where('w.id', '>', after)
    .orderBy('w.id')
    .limit(limit)
    .execute();
  return rows.map(({ q_text, q_user_id, q_username, q_display_name, ...row }) => ({
    ...toPending(row),
    owner: ownerOf(row),
    replied_post:
      q_username === null
        ? null
        : {
            id: String(row.replied_post_id),
            text: q_text!,
            owner: ownerOf({ user_id: q_user_id!, username: q_username, display_name: q_display_name }),
          },
  }));
}

/** Counts up to a number. */
export async function countPending(db: Kysely<Schema>, atMost: number): Promise<number> {
  const { n } = await db
    .selectFrom(selectPending(db).select('w.id').limit(atMost).as('some'))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

interface Period {
  since: number;
  until: number;
}

const writtenIn = (db: Kysely<Schema>, { since, until }: Period) =>
  selectPending(db).where('w.created_at', '>=', since).where('w.created_at', '<=', until);

export const countWritten = (db: Kysely<Schema>, period: Period): Promise<{ posts: number; people: number }> =>
  writtenIn(db, period)
    .select((eb) => [eb.fn.countAll<number>().as('posts'), sql<number>`count(distinct w.user_id)`.as('people')])
    .executeTakeFirstOrThrow();

/** People without a role whose posts were written in a period and wait. */
export const authorsOf = (
  db: Kysely<Schema>,
  period: Period,
  limit: number,
): Promise<Array<{ id: number; username: string }>> =>
  writtenIn(db, period)
    .select(['u.id', 'u.username'])
    .distinct()
    .where('u.role', 'is', null)
    .orderBy('u.id')
    .limit(limit)
    .execute();
