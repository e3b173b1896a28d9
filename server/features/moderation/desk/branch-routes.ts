import type { FastifyInstance } from 'fastify';
import type { Branch } from '#contract/moderation.ts';
import * as schema from '#contract/moderation.schema.ts';
import * as moderation from '#contract/moderation.ts';
import { orNotFound } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { findUser } from '../../account/store.ts';
import { findBranch, findInviterOf, rightEndedAt } from '../branch.ts';
import { actAllowInviting, actBlockBranch, actEndInviting } from '../branch-acts.ts';
import { type Acting, actIdOf, apiErrorOf, type DeskOptions } from './http.ts';
import { findModeratedPerson } from './people.ts';

const shown = 100;

/** Who has invited whom, and acts on a person together with those whom the person has brought. */
export function branchRoutes(app: FastifyInstance, { db, actor }: DeskOptions): void {
  serve(app, moderation.getBranch, schema.getBranch, async ({ params }): Promise<Branch> => {
    const id = Number(orNotFound(await findUser(db.read, params.username)).id);
    const [inviter, endedAt, rows] = await Promise.all([
      findInviterOf(db.read, id),
      rightEndedAt(db.read, id),
      findBranch(db.read, id, { limit: shown + 1, only: 'all' }),
    ]);
    const ended = endedAt === id ? 'no' : 'branch';
    return {
      inviter: inviter ? namesOf(inviter) : null,
      may_invite: endedAt === undefined ? 'yes' : ended,
      people: rows.slice(0, shown).map((row) => ({
        id: String(row.id),
        ...namesOf(row),
        role: row.role,
        is_blocked: row.blocked_at !== null,
        level: row.level,
        by: row.inviter_deleted_at === null ? row.inviter_name : null,
      })),
      more: rows.length > shown,
    };
  });

  serve(app, moderation.endInviting, schema.endInviting, ({ params, ...acting }) =>
    actOnRight(params.username, acting, actEndInviting),
  );

  serve(app, moderation.allowInviting, schema.allowInviting, ({ params, ...acting }) =>
    actOnRight(params.username, acting, actAllowInviting),
  );

  serve(app, moderation.blockBranch, schema.blockBranch, async ({ params, ...acting }) => {
    const outcome = await actBlockBranch(
      db,
      async (tx) => {
        const by = await actor.by(tx, acting);
        const { id } = orNotFound(await findUser(tx.db, params.username));
        if (!(await actor.isConfirmed(tx, acting.request))) throw apiErrorOf('unconfirmed');
        const { username, role, blocked } = orNotFound(await findModeratedPerson(tx.db, Number(id)));
        return { person: { id: Number(id), username }, role, isBlocked: blocked !== null, by };
      },
      { removePosts: acting.body.remove_posts },
    );
    if ('refused' in outcome) throw apiErrorOf(outcome.refused);
    return outcome;
  });

  async function actOnRight(username: string, acting: Acting, act: typeof actEndInviting) {
    const outcome = await db.tx(async (tx) => {
      const by = await actor.by(tx, acting);
      return act(tx, Number(orNotFound(await findUser(tx.db, username)).id), by);
    });
    return { act_id: actIdOf(outcome) };
  }
}

/** People who have left are in the tree without a name. */
const namesOf = (row: { username: string; display_name: string | null; deleted_at: number | null }) =>
  row.deleted_at === null
    ? { username: row.username, display_name: row.display_name }
    : { username: null, display_name: null };
