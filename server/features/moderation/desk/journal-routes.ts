import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { addresses } from '#contract/addresses.ts';
import { isAboutPost, keeperActs } from '#contract/keeper-acts.ts';
import type { Invite, JournalEntry } from '#contract/moderation.ts';
import type { Database, Tx } from '../../../db/database.ts';
import type { Schema } from '../../../db/schema.ts';
import { isNotDeleted } from '../../../db/visibility.ts';
import { idOf, serve } from '../../../http/serve.ts';
import { findCurrentUser } from '../../account/account-store.ts';
import { writeOnce } from '../../posts/idempotency.ts';
import { callerOf } from '../../sessions/session-http.ts';
import {
  actEndInvite,
  actInvite,
  deriveCode,
  inviteCode,
  inviteHash,
  invitesOf,
  listInvites,
  newInviteCode,
  registrationMode,
} from '../invites.ts';
import { type By, detailsOf, type Given, type JournalRow, listActs, lockAct, type Outcome } from '../journal.ts';
import { isOwner } from '../roles.ts';
import { actIdOf, type DeskOptions, keyOf, pageOf, refuseManyInvites } from './desk-http.ts';
import { perform } from './perform.ts';

/** Whether an act is in effect and can be undone. */
const isUndoable = (entry: JournalRow, now: number): boolean =>
  entry.ended_by === null && keeperActs[entry.action]?.inverse !== undefined && !hasEnded(entry, now);

/** A block for a term ends by itself. After the term neither the block nor its end can be undone. */
const hasEnded = (entry: JournalRow, now: number): boolean =>
  keeperActs[entry.action]?.target === 'person' && (detailsOf(entry).until ?? now + 1) <= now;

interface Undoing {
  by(tx: Tx): Promise<By>;
  /** Throws without a fresh code. */
  requireCode(tx: Tx): Promise<void>;
}

/** Undoes an act, once. */
async function undo(db: Database, id: number, undoing: Undoing): Promise<Outcome> {
  const { outcome } = await perform(db, async (tx) => {
    const undone = await lockAct(tx, id);
    if (!undone) return { refused: 'missing' };
    const { action, target_id: targetId, ended_by: endedBy } = undone;
    const { inverse, target, needsCode } = keeperActs[action] ?? {};
    if (inverse === undefined || targetId === null) return { refused: 'not undoable' };
    if (endedBy !== null) return { refused: 'already' };
    const by = { ...(await undoing.by(tx)), undoes: id };
    if (needsCode) await undoing.requireCode(tx);
    if (target === 'person' && !(await findCurrentUser(tx.db, targetId))) return { refused: 'missing' };
    return { act: inverse, id: targetId, by, given: givenBy(undone) };
  });
  return outcome;
}

/** The arguments of the inverse act: they restore what was before the act. */
function givenBy(undone: JournalRow): Given {
  const { removed_because, blocked_because, restore_posts, until = null, before } = detailsOf(undone);
  return {
    because: removed_because ?? blocked_because ?? undone.reason,
    removePosts: restore_posts ?? false,
    restorePosts: true,
    seconds: before,
    until,
    undone,
  };
}

/**
 * Resolves to a function that returns the current state of the post that an act was about. The function returns null if the
 * author has deleted the post or the account, and for an act that was about no post.
 */
async function postsOf(
  db: Kysely<Schema>,
  acts: readonly JournalRow[],
): Promise<(act: JournalRow) => JournalEntry['post']> {
  const postIdOf = ({ action, target_id: id }: JournalRow) => (isAboutPost(action) && id !== null ? id : 0);
  const ids = [0, ...acts.map(postIdOf)];
  const [shown, removed] = await Promise.all([
    db
      .selectFrom('posts as p')
      .innerJoin('users as u', 'u.id', 'p.user_id')
      .select(['p.id', 'p.text'])
      .where('p.id', 'in', ids)
      .where(isNotDeleted('u'))
      .execute(),
    db
      .selectFrom('removed_posts as p')
      .innerJoin('users as u', 'u.id', 'p.user_id')
      .select(['p.id', 'p.text'])
      .where('p.id', 'in', ids)
      .where(isNotDeleted('u'))
      .execute(),
  ]);
  const posts = new Map<number, JournalEntry['post']>([
    ...shown.map(({ id, text }) => [id, { text, is_removed: false }] as const),
    ...removed.map(({ id, text }) => [id, { text, is_removed: true }] as const),
  ]);
  return (act) => posts.get(postIdOf(act)) ?? null;
}

/** The journal, undo, and invitations. */
export function journalRoutes(app: FastifyInstance, { db, config, actor, secrets, now }: DeskOptions): void {
  serve(app, 'GET /moderation/journal', async ({ query }) => {
    const { rows, next } = await pageOf(
      query,
      (limit) => listActs(db.read, limit, keyOf(query.cursor)),
      ({ id }) => String(id),
    );
    const postOf = await postsOf(db.read, rows);
    return { acts: rows.map((row) => ({ ...toEntry(row, now()), post: postOf(row) })), next };
  });

  serve(app, 'POST /moderation/journal/{id}/undo', async ({ params, ...acting }) => {
    const outcome = await undo(db, idOf(params), {
      by: (tx) => actor.by(tx, acting, 'undos'),
      requireCode: (tx) => actor.requireCode(tx, acting.request),
    });
    return { act_id: actIdOf(outcome) };
  });

  serve(app, 'GET /moderation/invites', async ({ query, request }) => {
    const { rows, next } = await pageOf(
      query,
      (limit) => listInvites(db.read, limit, keyOf(query.cursor)),
      ({ id }) => String(id),
    );
    const { userId } = callerOf(request);
    const endsAll = await isOwner(db.read, userId);
    const invites = rows.map(({ id, made_by: maker, code_hash: hash, ...row }): Invite => {
      const mayEnd = row.used < row.seats && (endsAll || maker === userId);
      const code = inviteCode(secrets, id);
      const isShown = mayEnd && inviteHash(code) === hash;
      const url = isShown ? config.publicUrl + addresses.join.href({ code }) : null;
      return { ...row, id: String(id), may_end: mayEnd, url };
    });
    return { registration: await registrationMode(db.read), invites, next };
  });

  serve(app, 'DELETE /moderation/invites/{id}', async ({ params, ...acting }) => ({
    act_id: actIdOf(await db.tx(async (tx) => actEndInvite(tx, idOf(params), await actor.by(tx, acting)))),
  }));

  serve(app, 'POST /moderation/invites', async (acting) => {
    const { count, seats } = acting.body;
    const key = acting.headers['idempotency-key'];
    const { userId } = callerOf(acting.request);
    const make = async (tx: Tx): Promise<number> => {
      const drawn = Array.from({ length: count }, newInviteCode);
      const by = await actor.by(tx, acting);
      await refuseManyInvites(tx, by.moderatorId!, by.at, count * (seats ?? 1));
      const actId = await actInvite(tx, drawn, by, seats);
      for (const id of await invitesOf(tx, actId)) await deriveCode(tx, secrets, id);
      return actId;
    };
    const ids = await db.tx(async (tx) => {
      const once = { key: `${userId} made invites ${key}`, now: now() };
      return invitesOf(tx, await (key === undefined ? make(tx) : writeOnce(tx, once, () => make(tx))));
    });
    return { codes: ids.map((id) => inviteCode(secrets, id)) };
  });
}

const toEntry = (row: JournalRow, now: number): Omit<JournalEntry, 'post'> => ({
  id: String(row.id),
  at: row.at,
  by: row.operator,
  by_id: row.moderator_id === null ? null : String(row.moderator_id),
  action: row.action,
  target: row.target,
  target_id: row.target_id === null ? null : String(row.target_id),
  reason: row.reason,
  details: row.details === null ? null : (JSON.parse(row.details) as object),
  undo: isUndoable(row, now),
});
