import type { FastifyInstance } from 'fastify';
import type { Branch } from '#contract/moderation.ts';
import * as people from '#contract/moderation-people.schema.ts';
import * as moderation from '#contract/moderation.ts';
import { orNotFound } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { findUser } from '../../account/store.ts';
import { findBranch, findInviterOf, rightEndedAt } from '../branch.ts';
import { actBlockBranch } from '../branch-acts.ts';
import { apiErrorOf, type DeskOptions } from './http.ts';
import { findModeratedPerson } from './people.ts';

const shown = 100;

/** The tree of invitations, and acts on a person together with the people below. */
export function branchRoutes(app: FastifyInstance, { db, actor }: DeskOptions): void {
  serve(app, moderation.getBranch, people.getBranch, async ({ params }): Promise<Branch> => {
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

  serve(app, moderation.blockBranch, people.blockBranch, async (acting) => {
    const outcome = await actBlockBranch(
      db,
      async (tx) => {
        const opened = await actor.named(acting, 'code')(tx);
        if ('refused' in opened) throw apiErrorOf(opened.refused);
        const { role, blocked } = orNotFound(await findModeratedPerson(tx.db, opened.person.id));
        return { ...opened, role, isBlocked: blocked !== null };
      },
      { removePosts: acting.body.remove_posts },
    );
    if ('refused' in outcome) throw apiErrorOf(outcome.refused);
    return outcome;
  });
}

/** People who have left are in the tree without a name. */
const namesOf = (row: { username: string; display_name: string | null; deleted_at: number | null }) =>
  row.deleted_at === null
    ? { username: row.username, display_name: row.display_name }
    : { username: null, display_name: null };
