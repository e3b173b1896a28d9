import type { FastifyInstance } from 'fastify';
import * as claims from '#contract/claims.ts';
import * as schema from '#contract/claims.schema.ts';
import type { Tx } from '../../db/database.ts';
import { orNotFound } from '../../http/requests.ts';
import { serve } from '../../http/serve.ts';
import { commitOrRefuse } from '../../limits/http.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { claimedBy, findClaim, giveAccount, lockUnclaimed } from '../moderation/claims.ts';
import { callerOf, type SessionOptions } from '../sessions/http.ts';
import { lockAccount } from '../sessions/store.ts';
import { endOperationsOf } from '../sign-in/store.ts';
import { deleteUser } from './store.ts';

const ownPosts: Refusal = {
  refused: 'FORBIDDEN',
  message:
    'В вашей учётной записи уже есть записи или ответы, а соединить две нельзя. Выйдите и откройте ссылку ещё раз, с другим адресом почты.',
};

/** These rows go over to the imported account, which has none of them. Likes of the old one end with it. */
const movedTables = [
  'sessions',
  'known_devices',
  'program_tokens',
  'consents',
  'bookmarks',
  'follows',
  'reading_positions',
  'mutes',
] as const;

/** Imported accounts, and those who come for them with a link. */
export function claimRoutes(app: FastifyInstance, { db, secrets, security, now }: SessionOptions): void {
  serve(app, claims.getClaim, schema.getClaim, async ({ params }) => {
    const id = orNotFound(claimedBy(secrets, params.code));
    const { posts_count, replies_count, is_unclaimed: isOpen, ...names } = orNotFound(await findClaim(db.read, id));
    return { user: { id: String(id), ...names }, posts_count, replies_count, is_claimed: !isOpen };
  });

  serve(app, claims.claimAccount, schema.claimAccount, async ({ params, request }) => {
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

/** Gives an imported account to somebody who has one without posts, which ends. */
async function replaceAccount(tx: Tx, { from, to, now }: Replacement): Promise<object | Refusal> {
  const { db } = tx;
  if (!(await lockUnclaimed(tx, to))) return { refused: 'NOT_FOUND', message: 'По этой ссылке уже кто-то пришёл.' };
  const email = await lockAccount(tx, from);
  const { role, ...counts } = await db
    .selectFrom('users')
    .select(['role', 'posts_count', 'replies_count'])
    .where('id', '=', from)
    .executeTakeFirstOrThrow();
  const removed = await db
    .selectFrom('removed_posts')
    .select('id')
    .where('user_id', '=', from)
    .where('by_author', '=', 0)
    .executeTakeFirst();
  if (counts.posts_count + counts.replies_count > 0 || removed) return ownPosts;
  await endOperationsOf(tx, from);
  await db.deleteFrom('mutes').where('user_id', '=', from).where('muted_id', '=', to).execute();
  for (const table of movedTables) {
    await db.updateTable(table).set({ user_id: to }).where('user_id', '=', from).execute();
  }
  await deleteUser(tx, from, now);
  await giveAccount(tx, to, email);
  await db.updateTable('users').set({ role }).where('id', '=', to).execute();
  return {};
}
