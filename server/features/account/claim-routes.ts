import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../db/database.ts';
import { orNotFound, serve } from '../../http/serve.ts';
import { commitOrRefuse } from '../../limits/limits-http.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { shownNames } from '../../names/shown-names.ts';
import { claimedBy, findClaim, giveAccount, lockUnclaimed } from '../moderation/claims.ts';
import { callerOf, type SessionOptions } from '../sessions/session-http.ts';
import { lockAccount } from '../sessions/session-store.ts';
import { endOperationsOf } from '../sign-in/sign-in-store.ts';
import { deleteUser } from './account-store.ts';
import { refusalWhileUndoable } from './email-changes.ts';

const ownPosts: Refusal = {
  refused: 'FORBIDDEN',
  message:
    'В вашей учётной записи уже есть записи или ответы, а соединить две нельзя. Выйдите и откройте ссылку ещё раз, с другим адресом почты.',
};

/** Tables whose rows pass from the person's own account to the imported account. The likes of the own account are deleted. */
const movedTables = [
  'sessions',
  'known_devices',
  'program_tokens',
  'consents',
  'bookmarks',
  'follows',
  'reading_positions',
  'mutes',
  'followed_authors',
  'words',
  'pending_posts',
] as const;

/** A link with a code lets a person claim an imported account. */
export function claimRoutes(app: FastifyInstance, { db, secrets, security, now }: SessionOptions): void {
  serve(app, 'GET /claims/{code}', async ({ params }) => {
    const id = orNotFound(claimedBy(secrets, params.code));
    const {
      posts_count,
      replies_count,
      is_unclaimed: isUnclaimed,
      ...names
    } = orNotFound(await findClaim(db.read, id));
    return { user: { id: String(id), ...shownNames(names) }, posts_count, replies_count, is_claimed: !isUnclaimed };
  });

  serve(app, 'POST /claims/{code}', async ({ params, request }) => {
    const to = orNotFound(claimedBy(secrets, params.code));
    const from = callerOf(request).userId;
    await commitOrRefuse(db, (tx) => replaceAccount(tx, { from, to, now: now() }));
    security.note('account-claimed', request, { user: to });
  });
}

interface Replacement {
  from: number;
  to: number;
  now: number;
}

/** Gives the imported account `to` to a person whose own account `from` has no posts, and deletes `from`. */
async function replaceAccount(tx: Tx, { from, to, now }: Replacement): Promise<object | Refusal> {
  const { db } = tx;
  if (!(await lockUnclaimed(tx, to))) return { refused: 'NOT_FOUND', message: 'По этой ссылке уже кто-то пришёл.' };
  const email = await lockAccount(tx, from);
  const refusal = await refusalWhileUndoable(db, { userId: from, now, act: 'Перейти по этой ссылке' });
  if (refusal) return refusal;
  const { username, posts_count, replies_count, ...counts } = await db
    .selectFrom('users')
    .select(['username', 'posts_count', 'replies_count', 'role', 'warning', 'invited_by', 'invites_ended_at'])
    .where('id', '=', from)
    .executeTakeFirstOrThrow();
  const removed = await db.selectFrom('removed_posts').select('id').where('user_id', '=', from).executeTakeFirst();
  if (posts_count + replies_count > 0 || removed) return ownPosts;
  await endOperationsOf(tx, from);
  await db.deleteFrom('mutes').where('user_id', '=', from).where('muted_id', '=', to).execute();
  await db.deleteFrom('followed_authors').where('user_id', '=', from).where('author_id', '=', to).execute();
  // Unread counts of the imported account depend on its own reading positions, so these are kept and the others deleted.
  await db
    .deleteFrom('reading_positions')
    .where('user_id', '=', from)
    .where('list', 'in', (eb) => eb.selectFrom('reading_positions').select('list').where('user_id', '=', to))
    .execute();
  await db.updateTable('reading_positions').set({ unread: null }).where('user_id', '=', from).execute();
  for (const table of movedTables) {
    await db.updateTable(table).set({ user_id: to }).where('user_id', '=', from).execute();
  }
  await deleteUser(tx, from, now);
  await giveAccount(tx, to, { email, at: now, from: username });
  await db.updateTable('users').set(counts).where('id', '=', to).execute();
  await db.updateTable('users').set({ invited_by: to }).where('invited_by', '=', from).execute();
  await db.updateTable('invites').set({ made_by: to }).where('made_by', '=', from).execute();
  // A warning and an end of the right to invite are still in effect. Their entries must name `to`, so that they can be ended.
  await db
    .updateTable('operator_log')
    .set({ target_id: to })
    .where('action', 'in', ['warn', 'end-inviting'])
    .where('target_id', '=', from)
    .where('ended_by', 'is', null)
    .execute();
  return {};
}
