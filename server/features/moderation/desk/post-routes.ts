import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/moderation.schema.ts';
import type { ReportedPost as Reported } from '#contract/moderation.ts';
import * as moderation from '#contract/moderation.ts';
import type { PostActName } from '#contract/moderation-acts.ts';
import { limits } from '#contract/limits.ts';
import type { Tx } from '../../../db/database.ts';
import { idOf, orNotFound } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { parseId } from '../../../db/parse-id.ts';
import {
  countReportedPosts,
  countSettledPosts,
  listReportedPosts,
  type ReportedPost,
} from '../../reports/reported-posts.ts';
import { countPending } from '../../posts/pending-lists.ts';
import { findPinned } from '../../posts/pinned.ts';
import { callerOf } from '../../sessions/http.ts';
import type { By, Outcome } from '../journal.ts';
import { actPace } from '../discussion-acts.ts';
import { actPin, actUnpin } from '../pin-acts.ts';
import { postActs } from '../post-acts.ts';
import { type Acting, actIdOf, type DeskOptions, keyOf, pageOfRows } from './http.ts';

const calls = {
  remove: [moderation.removePost, schema.removePost],
  restore: [moderation.returnPost, schema.returnPost],
  dismiss: [moderation.dismissReports, schema.dismissReports],
  lock: [moderation.lockDiscussion, schema.lockDiscussion],
  unlock: [moderation.unlockDiscussion, schema.unlockDiscussion],
} as const satisfies Record<PostActName, unknown>;

/** Posts with open reports are counted up to this number. */
const countedAtMost = 1_000;
/** The badge shows more as «99+». */
const onBadgeAtMost = 100;

/** Reported posts, what is done with them, and the pinned post. */
export function postRoutes(app: FastifyInstance, { db, actor, now }: DeskOptions): void {
  serve(app, moderation.listReported, schema.listReported, async ({ query, request }) => {
    const viewer = callerOf(request).userId;
    const { state = 'open', cursor, limit = String(limits.pageSize) } = query;
    const part = { state, limit: Number(limit) + 1, after: keyOf(cursor) };
    const { rows, next } = pageOfRows(await listReportedPosts(db.read, part), Number(limit), ({ key }) => String(key));
    return {
      reports: rows.map((post) => toReported(post, viewer)),
      next,
      open: await countReportedPosts(db.read, countedAtMost),
      settled: await countSettledPosts(db.read, countedAtMost),
    };
  });

  serve(app, moderation.countReports, schema.countReports, async () => ({
    open: await countReportedPosts(db.read, onBadgeAtMost),
    pending: await countPending(db.read, onBadgeAtMost),
  }));

  for (const [name, [call, schemas]] of Object.entries(calls)) {
    serve(app, call, schemas, async ({ params, ...acting }) => {
      const outcome = await act(acting, (tx, by) => postActs[name as PostActName](tx, idOf(params), by));
      return { act_id: actIdOf(outcome), settled_reports: 'refused' in outcome ? 0 : (outcome.settled ?? 0) };
    });
  }

  serve(app, moderation.paceDiscussion, schema.paceDiscussion, async ({ params, ...acting }) => {
    const { seconds } = acting.body;
    return { act_id: actIdOf(await act(acting, (tx, by) => actPace(tx, { post: idOf(params), seconds }, by))) };
  });

  serve(app, moderation.getPin, schema.getPin, async () => ({ pinned: (await findPinned(db.read, now())) ?? null }));

  serve(app, moderation.pinPost, schema.pinPost, async (acting) => {
    const { post_id: id, until } = acting.body;
    const post = orNotFound(parseId(id));
    return { act_id: actIdOf(await act(acting, (tx, by) => actPin(tx, { post, until }, by))) };
  });

  serve(app, moderation.unpinPost, schema.unpinPost, async (acting) => ({
    act_id: actIdOf(await act(acting, actUnpin)),
  }));

  function act<Done extends object>(
    acting: Acting,
    work: (tx: Tx, by: By) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    return db.tx(async (tx) => work(tx, await actor.by(tx, acting)));
  }
}

/** Moderators do not learn who has reported their own posts. */
const toReported = (
  { id, author, state, currentText, replied, rootId, open, reports }: ReportedPost,
  viewer: number,
): Reported => ({
  post_id: String(id),
  text: reports[0]!.text,
  author,
  state,
  current_text: currentText ?? null,
  open,
  reports: reports.map(({ by, at, reasonId, comment, text, isOpen }) => ({
    by: author.id === String(viewer) ? null : by,
    at,
    reason_id: reasonId,
    comment,
    text,
    open: isOpen,
  })),
  replied_post: replied ? { ...replied, id: String(replied.id) } : null,
  parent_post_id: rootId === undefined ? null : String(rootId),
});
