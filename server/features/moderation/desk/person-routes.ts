import type { FastifyInstance } from 'fastify';
import * as accountSchema from '#contract/account.schema.ts';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import type { ModeratedPerson } from '#contract/moderation.ts';
import { latinName } from '#contract/profile-text.ts';
import * as schema from '#contract/moderation.schema.ts';
import * as moderation from '#contract/moderation.ts';
import { isUsername, usernameKey } from '#contract/username.ts';
import * as warning from '#contract/warning.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../http/api-error.ts';
import { orNotFound } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { findUser } from '../../account/store.ts';
import { claimCode } from '../claims.ts';
import { sessionCallerOf } from '../../sessions/http.ts';
import type { Outcome } from '../journal.ts';
import { actBlock, actUnblock, type Open, type Person } from '../person-acts.ts';
import { type ActOnPerson, actAppointOwner, roleActs } from '../roles.ts';
import { actWarn, readWarning } from '../warnings.ts';
import { type Acting, actIdOf, apiErrorOf, type DeskOptions, keyOf, pageOfRows } from './http.ts';
import { findModeratedPerson, listPeople, type PersonRow } from './people.ts';

const daySeconds = 24 * 3_600;

/** People, and their blocks. */
export function personRoutes(app: FastifyInstance, { db, actor, config, secrets, now }: DeskOptions): void {
  serve(app, moderation.listPeople, schema.listPeople, async ({ query }) => {
    const { q, state = 'all', cursor, limit = String(limits.pageSize) } = query;
    // The names of imported people are transliterated.
    const prefix = q === undefined || /^\w+$/.test(q) ? q : latinName(q, limits.usernameMax);
    if (prefix === '') return { people: [], next: null };
    const after = prefix === undefined ? idAfter(cursor) : nameAfter(cursor);
    const listing = { prefix, only: state, limit: Number(limit) + 1, after };
    const { rows, next } = pageOfRows(await listPeople(db, listing), Number(limit), ({ id, username }) =>
      prefix === undefined ? id : usernameKey(username),
    );
    return { people: rows.map(shown), next };
  });

  serve(app, moderation.getPerson, schema.getPerson, async ({ params }) => {
    const { id } = orNotFound(await findUser(db.read, params.username));
    return shown(orNotFound(await findModeratedPerson(db.read, Number(id))));
  });

  serve(app, moderation.blockPerson, schema.blockPerson, async ({ params, ...acting }) => {
    const { remove_posts: removePosts, days } = acting.body;
    const until = days === undefined ? null : now() + days * daySeconds;
    const { outcome, posts } = await actBlock(db, named(params.username, acting), { removePosts, until });
    return { act_id: actIdOf(outcome), posts };
  });

  serve(app, moderation.unblockPerson, schema.unblockPerson, async ({ params, ...acting }) => {
    const { outcome, posts } = await actUnblock(db, named(params.username, acting), {
      restorePosts: acting.body.restore_posts,
    });
    return { act_id: actIdOf(outcome), posts };
  });

  serve(app, moderation.warnPerson, schema.warnPerson, async ({ params, ...acting }) => {
    const outcome = await db.tx(async (tx) => {
      const by = await actor.by(tx, acting);
      const { id, username } = orNotFound(await findUser(tx.db, params.username));
      return actWarn(tx, { id: Number(id), username }, by);
    });
    return { act_id: actIdOf(outcome) };
  });

  serve(app, warning.readWarning, accountSchema.readWarning, async ({ request }) => {
    await db.tx((tx) => readWarning(tx, sessionCallerOf(request).userId, now()));
  });

  serve(app, moderation.appointPerson, schema.appointPerson, async ({ params, ...acting }) =>
    actOnRole(params.username, acting, acting.body.owner ? actAppointOwner : roleActs.appoint),
  );

  serve(app, moderation.dismissPerson, schema.dismissPerson, async ({ params, ...acting }) =>
    actOnRole(params.username, acting, roleActs['dismiss-moderator']),
  );

  async function actOnRole(username: string, acting: Acting, act: ActOnPerson): Promise<{ act_id: string | null }> {
    const outcome = await db.tx(async (tx): Promise<Outcome> => {
      const opened = await named(username, acting)(tx);
      return 'refused' in opened ? opened : act(tx, opened.person, opened.by);
    });
    return { act_id: actIdOf(outcome) };
  }

  function shown({ isUnclaimed, ...person }: PersonRow): ModeratedPerson {
    const code = claimCode(secrets, Number(person.id));
    return { ...person, claim_url: isUnclaimed ? config.publicUrl + addresses.claim.href({ code }) : null };
  }

  /** Finds the person in the transaction of the act, which needs a fresh code. */
  function named(username: string, acting: Acting): Open<Person> {
    return async (tx: Tx) => {
      const by = await actor.by(tx, acting);
      const user = await findUser(tx.db, username);
      if (!user) return { refused: 'missing' };
      if (!(await actor.isConfirmed(tx, acting.request))) throw apiErrorOf('unconfirmed');
      return { person: { id: Number(user.id), username: user.username }, by };
    };
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
