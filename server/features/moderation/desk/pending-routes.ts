import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/moderation.schema.ts';
import * as moderation from '#contract/moderation.ts';
import { idOf } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { authorsOf, countWritten, listPending } from '../../posts/pending-lists.ts';
import { actApprove } from '../pending-acts.ts';
import { actBlock } from '../block-acts.ts';
import { apiErrorOf, type DeskOptions, keyOf, pageOf } from './http.ts';

const hourSeconds = 3_600;
/** People that one call blocks, so that it ends in time. */
const blockedAtOnce = 50;

/** The posts of newcomers that wait. `removePost` removes one of them. */
export function pendingRoutes(app: FastifyInstance, { db, actor, now }: DeskOptions): void {
  serve(app, moderation.listPending, schema.listPending, async ({ query }) => {
    const { rows, next } = await pageOf(
      query,
      (limit) => listPending(db.read, { limit, after: keyOf(query.cursor) }),
      ({ id }) => id,
    );
    const period = { since: now() - hourSeconds, until: now() };
    return { posts: rows, next, last_hour: { ...period, ...(await countWritten(db.read, period)) } };
  });

  serve(app, moderation.approvePost, schema.approvePost, async ({ params, request }) => {
    const outcome = await actApprove(db, idOf(params), (tx) => actor.by(tx, { request }, 'approvals'));
    if ('refused' in outcome) throw apiErrorOf('missing');
    const { actId, postId } = outcome;
    return { act_id: String(actId), post_id: postId === null ? null : String(postId) };
  });

  serve(app, moderation.blockWaiting, schema.blockWaiting, async (acting) => {
    const by = await db.tx(async (tx) => {
      const moderator = await actor.by(tx, acting);
      if (!(await actor.isConfirmed(tx, acting.request))) throw apiErrorOf('unconfirmed');
      return moderator;
    });
    const authors = await authorsOf(db.read, acting.body, blockedAtOnce + 1);
    const blocked = { people: 0, posts: 0 };
    for (const person of authors.slice(0, blockedAtOnce)) {
      const { outcome, posts } = await actBlock(db, async () => ({ person, by }), { removePosts: true });
      if (!('refused' in outcome)) blocked.people += 1;
      blocked.posts += posts;
    }
    return { ...blocked, left: authors.length > blockedAtOnce };
  });
}
