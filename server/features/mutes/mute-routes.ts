import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { serverLimits } from '#contract/limits.ts';
import type { Owner } from '#contract/posts.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { idOf, serve } from '../../http/serve.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { shownColumnsOfU, shownNames } from '../../names/shown-names.ts';
import { lockPeople } from '../notifications/notified-people.ts';
import { recountUnread } from '../notifications/notification-store.ts';
import { callerOf, spendingIn } from '../sessions/session-http.ts';

async function listMutesOf(db: Kysely<Schema>, userId: number): Promise<Owner[]> {
  const rows = await db
    .selectFrom('mutes as m')
    .innerJoin('users as u', 'u.id', 'm.muted_id')
    .select(['u.id', ...shownColumnsOfU])
    .where('m.user_id', '=', userId)
    .where(isNotDeleted('u'))
    .orderBy('m.created_at', 'desc')
    .orderBy('m.muted_id', 'desc')
    .execute();
  return rows.map(({ id, ...names }) => ({ id: String(id), ...shownNames(names) }));
}

interface Mute {
  userId: number;
  mutedId: number;
  now: number;
}

/** Muting again changes nothing. */
export async function addMute(tx: Tx, { userId, mutedId, now }: Mute): Promise<'added' | 'unknown' | 'too many'> {
  await lockPeople(tx, [userId]);
  const muted = await tx.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', mutedId)
    .where(isNotDeleted('users'))
    .executeTakeFirst();
  if (!muted) return 'unknown';
  const added = await tx.db
    .insertInto('mutes')
    .values({ user_id: userId, muted_id: mutedId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('muted_id')
    .execute();
  if (added.length === 0) return 'added';
  const beyond = await tx.db
    .selectFrom('mutes')
    .select('muted_id')
    .where('user_id', '=', userId)
    .limit(1)
    .offset(serverLimits.mutes)
    .executeTakeFirst();
  if (beyond) return 'too many';
  await recountUnread(tx, { userId, authorId: mutedId });
  return 'added';
}

async function removeMute(tx: Tx, { userId, mutedId }: Omit<Mute, 'now'>): Promise<void> {
  await lockPeople(tx, [userId]);
  const removed = await tx.db
    .deleteFrom('mutes')
    .where('user_id', '=', userId)
    .where('muted_id', '=', mutedId)
    .returning('muted_id')
    .execute();
  if (removed.length > 0) await recountUnread(tx, { userId, authorId: mutedId });
}

const full = `Скрыто уже ${serverLimits.mutes} авторов. Чтобы скрыть ещё одного, покажите кого-нибудь из них.`;

export function muteRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, 'GET /users/current/mutes', async ({ request }) => ({
    users: await listMutesOf(db.read, callerOf(request).userId),
  }));

  serve(app, 'PUT /users/current/mutes/{id}', async ({ params, request }) => {
    const mutedId = idOf(params);
    if (mutedId === callerOf(request).userId)
      throw new ApiError('FORBIDDEN', { message: 'Себя не показывать нельзя.' });
    await spending(request, async (tx, caller) => {
      const outcome = await addMute(tx, { ...caller, mutedId });
      if (outcome === 'unknown') throw new ApiError('NOT_FOUND');
      if (outcome === 'too many') throw new ApiError('INVALID_REQUEST', { message: full });
    });
  });

  serve(app, 'DELETE /users/current/mutes/{id}', async ({ params, request }) => {
    const mutedId = idOf(params);
    await spending(request, (tx, { userId }) => removeMute(tx, { userId, mutedId }));
  });
}
