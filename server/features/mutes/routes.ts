import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/limits.ts';
import * as mutes from '#contract/mutes.ts';
import * as schema from '#contract/mutes.schema.ts';
import { ApiError } from '../../http/api-error.ts';
import { serve } from '../../http/serve.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { idOf } from '../../http/requests.ts';
import { callerOf } from '../sessions/http.ts';
import { spendingIn } from '../sessions/spending-http.ts';
import { addMute, listMutesOf, removeMute } from './store.ts';

const full = `Скрыто уже ${limits.mutes} авторов. Чтобы скрыть ещё одного, покажите кого-нибудь из них.`;

export function muteRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, mutes.listMutes, schema.listMutes, async ({ request }) => ({
    users: await listMutesOf(db.read, callerOf(request).userId),
  }));

  serve(app, mutes.mute, schema.mute, async ({ params, request }) => {
    const mutedId = idOf(params);
    if (mutedId === callerOf(request).userId)
      throw new ApiError('FORBIDDEN', { message: 'Себя не показывать нельзя.' });
    await spending(request, 'mutes', async (tx, caller) => {
      const outcome = await addMute(tx, { ...caller, mutedId });
      if (outcome === 'unknown') throw new ApiError('NOT_FOUND');
      if (outcome === 'too many') throw new ApiError('INVALID_REQUEST', { message: full });
    });
  });

  serve(app, mutes.unmute, schema.unmute, async ({ params, request }) => {
    const mutedId = idOf(params);
    await spending(request, 'mutes', (tx, { userId }) => removeMute(tx, { userId, mutedId }));
  });
}
