import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/moderation.schema.ts';
import type { Invite, JournalEntry } from '#contract/moderation.ts';
import * as moderation from '#contract/moderation.ts';
import type { Tx } from '../../../db/database.ts';
import { idOf } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { writeOnce } from '../../posts/idempotency.ts';
import { callerOf } from '../../sessions/http.ts';
import {
  actEndInvite,
  actInvite,
  countInvitesOf,
  inviteCodeOf,
  listInvites,
  newInviteCode,
  registrationMode,
} from '../invites.ts';
import { type JournalRow, listActs } from '../journal.ts';
import { numberOf } from '../member-invites.ts';
import { isOwner } from '../roles.ts';
import { actIdOf, type DeskOptions, keyOf, pageOf } from './http.ts';
import { postsOf } from './posts-of-acts.ts';
import { isUndoable, undo } from './undo.ts';

/** The journal, undo, and invitations. */
export function journalRoutes(app: FastifyInstance, { db, actor, secrets, now }: DeskOptions): void {
  serve(app, moderation.listJournal, schema.listJournal, async ({ query }) => {
    const { rows, next } = await pageOf(
      query,
      (limit) => listActs(db.read, limit, keyOf(query.cursor)),
      ({ id }) => String(id),
    );
    const postOf = await postsOf(db.read, rows);
    return { acts: rows.map((row) => ({ ...toEntry(row, now()), post: postOf(row) })), next };
  });

  serve(app, moderation.undoAct, schema.undoAct, async ({ params, ...acting }) => {
    const outcome = await undo(db, idOf(params), {
      by: (tx) => actor.by(tx, acting, 'undos'),
      isConfirmed: (tx) => actor.isConfirmed(tx, acting.request),
    });
    return { act_id: actIdOf(outcome) };
  });

  serve(app, moderation.listInvites, schema.listInvites, async ({ query, request }) => {
    const { rows, next } = await pageOf(
      query,
      (limit) => listInvites(db.read, limit, keyOf(query.cursor)),
      ({ id }) => String(id),
    );
    const { userId } = callerOf(request);
    const endsAll = await isOwner(db.read, userId);
    const invites = rows.map(({ id, made_by: maker, ...row }): Invite => {
      const mayEnd = row.used < row.seats && (endsAll || maker === userId);
      return { ...row, id: String(id), may_end: mayEnd };
    });
    return { registration: await registrationMode(db.read), invites, next };
  });

  serve(app, moderation.endInvite, schema.endInvite, async ({ params, ...acting }) => ({
    act_id: actIdOf(await actor.act(acting, (tx, by) => actEndInvite(tx, idOf(params), by))),
  }));

  serve(app, moderation.makeInvites, schema.makeInvites, async (acting) => {
    const { count, seats } = acting.body;
    const key = acting.headers['idempotency-key'];
    const { userId } = callerOf(acting.request);
    const make = async (tx: Tx, codes: string[]) => actInvite(tx, codes, await actor.by(tx, acting), seats);
    if (key === undefined) {
      const codes = Array.from({ length: count }, newInviteCode);
      await db.tx((tx) => make(tx, codes));
      return { codes };
    }
    // A repeated call gets the codes of the first one, although only their hashes are stored.
    const codesOf = (length: number): string[] =>
      Array.from({ length }, (_, i) => inviteCodeOf(numberOf(secrets, ['invite', String(userId), key, String(i)])));
    const made = await db.tx(async (tx) => {
      const once = { key: `${userId} invites ${key}`, now: now() };
      return countInvitesOf(tx, await writeOnce(tx, once, () => make(tx, codesOf(count))));
    });
    return { codes: codesOf(made) };
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
