import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/moderation.schema.ts';
import * as moderation from '#contract/moderation.ts';
import { idOf, orNotFound } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { parseId } from '../../../db/parse-id.ts';
import { countReportedPosts, countSettledPosts, listReportedPosts } from '../../reports/reported-posts.ts';
import { countPending } from '../../posts/pending-lists.ts';
import { findPinned } from '../../posts/pinned.ts';
import { callerOf } from '../../sessions/http.ts';
import { actPace } from '../discussion-acts.ts';
import { actPin, actUnpin } from '../pin-acts.ts';
import { postActs } from '../post-acts.ts';
import { actIdOf, type DeskOptions, keyOf, pageOf } from './http.ts';

/** Posts with open reports are counted up to this number. */
const countedAtMost = 1_000;
/** The badge shows more as «99+». */
const onBadgeAtMost = 100;

/** Reported posts, what is done with them, and the pinned post. */
export function postRoutes(app: FastifyInstance, { db, actor, now }: DeskOptions): void {
  serve(app, moderation.listReported, schema.listReported, async ({ query, request }) => {
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

  serve(app, moderation.countReports, schema.countReports, async () => ({
    open: await countReportedPosts(db.read, onBadgeAtMost),
    pending: await countPending(db.read, onBadgeAtMost),
  }));

  for (const { call, carryOut } of Object.values(postActs)) {
    serve(app, call, schema.removePost, async ({ params, ...acting }) => {
      const outcome = await actor.act(acting, (tx, by) => carryOut(tx, idOf(params), by));
      return { act_id: actIdOf(outcome), settled_reports: 'refused' in outcome ? 0 : (outcome.settled ?? 0) };
    });
  }

  serve(app, moderation.paceDiscussion, schema.paceDiscussion, async ({ params, ...acting }) => {
    const { seconds } = acting.body;
    return { act_id: actIdOf(await actor.act(acting, (tx, by) => actPace(tx, { post: idOf(params), seconds }, by))) };
  });

  serve(app, moderation.getPin, schema.getPin, async () => ({ pinned: (await findPinned(db.read, now())) ?? null }));

  serve(app, moderation.pinPost, schema.pinPost, async (acting) => {
    const { post_id: id, until } = acting.body;
    const post = orNotFound(parseId(id));
    return { act_id: actIdOf(await actor.act(acting, (tx, by) => actPin(tx, { post, until }, by))) };
  });

  serve(app, moderation.unpinPost, schema.unpinPost, async (acting) => ({
    act_id: actIdOf(await actor.act(acting, actUnpin)),
  }));
}
