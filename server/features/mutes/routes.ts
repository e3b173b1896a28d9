import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/limits.ts';
import * as mutes from '#contract/mutes.ts';
import * as schema from '#contract/mutes.schema.ts';
import { ApiError } from '../../http/api-error.ts';
import { serve } from '../../http/serve.ts';
import { spendOrRefuse } from '../../limits/http.ts';
import { writingBudgets, type WritingOptions } from '../../limits/writing-budgets.ts';
import { idOf } from '../../http/requests.ts';
import { callerOf } from '../sessions/http.ts';
import { addMute, listMutesOf, removeMute } from './store.ts';

const full = `Скрыто уже ${limits.mutes} авторов. Чтобы скрыть ещё одного, покажите кого-нибудь из них.`;

export function muteRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const budgets = writingBudgets(config);

  serve(app, mutes.listMutes, schema.listMutes, async ({ request }) => ({
    users: await listMutesOf(db.read, callerOf(request).userId),
  }));

  serve(app, mutes.mute, schema.mute, async ({ params, request }) => {
    const { userId } = callerOf(request);
    const mutedId = idOf(params);
    if (mutedId === userId) throw new ApiError('FORBIDDEN', { message: 'Себя скрыть нельзя.' });
    await db.tx(async (tx) => {
      await spendOrRefuse(tx, budgets.mutes(userId), now());
      const outcome = await addMute(tx, { userId, mutedId, now: now() });
      if (outcome === 'unknown') throw new ApiError('NOT_FOUND');
      if (outcome === 'too many') throw new ApiError('INVALID_REQUEST', { message: full });
    });
  });

  serve(app, mutes.unmute, schema.unmute, async ({ params, request }) => {
    const { userId } = callerOf(request);
    const mutedId = idOf(params);
    await db.tx(async (tx) => {
      await spendOrRefuse(tx, budgets.mutes(userId), now());
      await removeMute(tx, { userId, mutedId });
    });
  });
}
