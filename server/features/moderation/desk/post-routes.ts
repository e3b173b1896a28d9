import type { FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { ModeratedPending } from '#contract/moderation.ts';
import type { Schema } from '../../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../../db/visibility.ts';
import { serve } from '../../../http/serve.ts';
import { toPending } from '../../posts/pending-posts.ts';
import { findPinned } from '../../lists/pinned.ts';
import { nameColumns, ownerOf, quotedNames } from '../../posts/post-rows.ts';
import { countReportedPosts, countSettledPosts, listReportedPosts } from '../../reports/reported-posts.ts';
import { callerOf } from '../../sessions/session-http.ts';
import { type DeskOptions, keyOf, pageOf } from './desk-http.ts';
import { perform } from './perform.ts';

/** Pending posts, without posts of people who are blocked or deleted. */
const selectPending = (db: Kysely<Schema>) =>
  db
    .selectFrom('pending_posts as w')
    .innerJoin('users as u', (join) =>
      join.onRef('u.id', '=', 'w.user_id').on(isNotDeleted('u')).on(isNotBlocked('u')),
    );

/** Pending posts, the oldest first, with ids above `after`. */
async function listPending(
  db: Kysely<Schema>,
  { limit, after = 0 }: { limit: number; after: number | undefined },
): Promise<ModeratedPending[]> {
  const rows = await selectPending(db)
    .leftJoin('posts as q', 'q.id', 'w.replied_post_id')
    .leftJoin('users as qu', (join) => join.onRef('qu.id', '=', 'q.user_id').on(isNotDeleted('qu')))
    .selectAll('w')
    .select([...nameColumns, 'q.text as q_text', 'q.user_id as q_user_id'])
    .select(quotedNames)
    .where('w.id', '>', after)
    .orderBy('w.id')
    .limit(limit)
    .execute();
  return rows.map(
    ({ q_text, q_user_id, q_username, q_display_name, q_face, q_is_namesake, q_newcomer_until: _, ...row }) => ({
      ...toPending(row),
      owner: ownerOf(row),
      replied_post:
        q_username === null
          ? null
          : {
              id: String(row.replied_post_id),
              text: q_text!,
              owner: ownerOf({
                user_id: q_user_id!,
                username: q_username,
                display_name: q_display_name,
                face: q_face,
                is_namesake: q_is_namesake!,
              }),
            },
    }),
  );
}

/** Counts pending posts, up to `atMost`. */
async function countPending(db: Kysely<Schema>, atMost: number): Promise<number> {
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

const countWritten = (db: Kysely<Schema>, period: Period): Promise<{ posts: number; people: number }> =>
  writtenIn(db, period)
    .select((eb) => [eb.fn.countAll<number>().as('posts'), sql<number>`count(distinct w.user_id)`.as('people')])
    .executeTakeFirstOrThrow();

/** People without a role who have pending posts that were written in a period. */
const authorsOf = (
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

const hourSeconds = 3_600;
/** People that one call blocks, so that it ends in time. */
const blockedAtOnce = 50;

/** Pending posts of newcomers. The call that removes posts also removes a pending one. */
export function pendingRoutes(app: FastifyInstance, { db, actor, now }: DeskOptions): void {
  serve(app, 'GET /moderation/waiting', async ({ query }) => {
    const { rows, next } = await pageOf(
      query,
      (limit) => listPending(db.read, { limit, after: keyOf(query.cursor) }),
      ({ id }) => id,
    );
    const period = { since: now() - hourSeconds, until: now() };
    return { posts: rows, next, last_hour: { ...period, ...(await countWritten(db.read, period)) } };
  });

  serve(app, 'POST /moderation/waiting/blocks', async (acting) => {
    const by = await db.tx(async (tx) => {
      const moderator = await actor.by(tx, acting);
      await actor.requireCode(tx, acting.request);
      return moderator;
    });
    const authors = await authorsOf(db.read, acting.body, blockedAtOnce + 1);
    const blocked = { people: 0, posts: 0 };
    for (const { id } of authors.slice(0, blockedAtOnce)) {
      const given = { removePosts: true };
      const { outcome, counts } = await perform(db, async () => ({ act: 'block', id, by, given }));
      if (!('refused' in outcome)) blocked.people += 1;
      blocked.posts += counts['removed_posts'] ?? 0;
    }
    return { ...blocked, left: authors.length > blockedAtOnce };
  });
}

/** Reported posts are counted up to this number, those with open reports and those with settled ones. */
const countedAtMost = 1_000;
/** The badge shows this number as «99+». */
const onBadgeAtMost = 100;

/** Reported posts, and the pinned post. */
export function postRoutes(app: FastifyInstance, { db, now }: DeskOptions): void {
  serve(app, 'GET /moderation/reports', async ({ query, request }) => {
    const viewer = callerOf(request).userId;
    const { state = 'open', cursor } = query;
    const { rows, next } = await pageOf(
      query,
      (limit) => listReportedPosts(db.read, { state, limit, after: keyOf(cursor), viewer }),
      ({ key }) => String(key),
    );
    return {
      reports: rows.map(({ post }) => post),
      next,
      open: await countReportedPosts(db.read, countedAtMost),
      settled: await countSettledPosts(db.read, countedAtMost),
    };
  });

  serve(app, 'GET /moderation/reports/count', async () => ({
    open: await countReportedPosts(db.read, onBadgeAtMost),
    pending: await countPending(db.read, onBadgeAtMost),
  }));

  serve(app, 'GET /moderation/pin', async () => ({ pinned: (await findPinned(db.read, now())) ?? null }));
}
