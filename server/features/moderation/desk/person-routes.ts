import type { FastifyInstance } from 'fastify';
import * as accountSchema from '#contract/account.schema.ts';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { ModeratedPerson } from '#contract/moderation.ts';
import { latinName } from '#contract/profile-text.ts';
import * as people from '#contract/moderation-people.schema.ts';
import * as moderation from '#contract/moderation.ts';
import { isUsername, usernameKey } from '#contract/username.ts';
import * as warning from '#contract/warning.ts';
import { ApiError } from '../../../http/api-error.ts';
import { orNotFound } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { findUser } from '../../account/store.ts';
import { claimCode } from '../claims.ts';
import { sessionCallerOf } from '../../sessions/http.ts';
import { actBlock, actUnblock } from '../block-acts.ts';
import { personActs, readWarning } from '../person-acts.ts';
import { actAppointModerator, actAppointOwner } from '../roles.ts';
import { actIdOf, type DeskOptions, keyOf, pageOf } from './http.ts';
import { findModeratedPerson, listPeople, type PersonRow } from './people.ts';

const daySeconds = 24 * 3_600;

/** People, and their blocks. */
export function personRoutes(app: FastifyInstance, { db, actor, config, secrets, now }: DeskOptions): void {
  serve(app, moderation.listPeople, people.listPeople, async ({ query }) => {
    const { q, state: only = 'all', cursor } = query;
    // The names of imported people are transliterated.
    const prefix = q === undefined || /^\w+$/.test(q) ? q : latinName(q, limits.usernameMax);
    if (prefix === '') return { people: [], next: null };
    const after = prefix === undefined ? idAfter(cursor) : nameAfter(cursor);
    const { rows, next } = await pageOf(
      query,
      (limit) => listPeople(db, { prefix, only, limit, after }),
      ({ id, username }) => (prefix === undefined ? id : usernameKey(username)),
    );
    return { people: rows.map(shown), next };
  });

  serve(app, moderation.getPerson, people.getPerson, async ({ params }) => {
    const { id } = orNotFound(await findUser(db.read, params.username));
    return shown(orNotFound(await findModeratedPerson(db.read, Number(id))));
  });

  serve(app, moderation.blockPerson, people.blockPerson, async (acting) => {
    const { remove_posts: removePosts, days } = acting.body;
    const until = days === undefined ? null : now() + days * daySeconds;
    const { outcome, posts } = await actBlock(db, actor.named(acting, 'code'), { removePosts, until });
    return { act_id: actIdOf(outcome), posts };
  });

  serve(app, moderation.unblockPerson, people.unblockPerson, async (acting) => {
    const { outcome, posts } = await actUnblock(db, actor.named(acting, 'code'), {
      restorePosts: acting.body.restore_posts,
    });
    return { act_id: actIdOf(outcome), posts };
  });

  for (const { call, carryOut } of Object.values(personActs)) {
    const proof = call.codes.includes('CONFIRMATION_REQUIRED') ? 'code' : undefined;
    serve(app, call, people.warnPerson, (acting) => actor.actOnPerson(acting, carryOut, proof));
  }

  serve(app, warning.readWarning, accountSchema.readWarning, async ({ request }) => {
    await db.tx((tx) => readWarning(tx, sessionCallerOf(request).userId, now()));
  });

  serve(app, moderation.appointPerson, people.appointPerson, (acting) =>
    actor.actOnPerson(acting, acting.body.owner ? actAppointOwner : actAppointModerator, 'code'),
  );

  function shown({ isUnclaimed, ...person }: PersonRow): ModeratedPerson {
    const code = claimCode(secrets, Number(person.id));
    return { ...person, claim_url: isUnclaimed ? config.publicUrl + addresses.claim.href({ code }) : null };
  }
}

function idAfter(cursor: string | undefined): { id: number } | undefined {
  const id = keyOf(cursor);
  return id === undefined ? undefined : { id };
}

function nameAfter(cursor: string | undefined): { name: string } | undefined {
  if (cursor === undefined) return undefined;
  if (!isUsername(cursor)) throw new ApiError('INVALID_REQUEST');
  return { name: cursor };
}
