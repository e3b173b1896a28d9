import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { TObject } from 'typebox';
import { addresses } from '#contract/addresses.ts';
import { calls } from '#contract/calls.ts';
import type { Invitations } from '#contract/invitations.ts';
import { type Called, keeperActs } from '#contract/keeper-acts.ts';
import type { Branch } from '#contract/moderation-people.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { parseId } from '../../../db/ids.ts';
import type { Schema } from '../../../db/schema.ts';
import { idOf, orNotFound, serve, type ServedCall } from '../../../http/serve.ts';
import { ApiError } from '../../../http/thrown-api-error.ts';
import type { Refusal } from '../../../limits/refusal.ts';
import { shownNames } from '../../../names/shown-names.ts';
import { makeOwnCodeFlow, ownAddress } from '../../account/own-codes-http.ts';
import { findCurrentUser, findUser } from '../../account/account-store.ts';
import { writeOnce } from '../../posts/idempotency.ts';
import { callerOf, sessionCallerOf, type SessionOptions, spendingIn } from '../../sessions/session-http.ts';
import type { WallSettings } from '../../wall-texts/wall-settings.ts';
import { findBranch, findInviterOf, type NamedRow, nearestWithoutInvites } from '../branch.ts';
import { actBecomeOwner, findInviter, isOwnerCode, lastWriters } from '../invites.ts';
import type { By, Given } from '../journal.ts';
import { endMemberInvite, listMemberInvites, makeMemberInvite, rightToInvite } from '../member-invites.ts';
import { confirmModerator, moderatorName, waitsForOwner, whomToAsk } from '../roles.ts';
import { actIdOf, apiErrorOf, type DeskOptions, makeActor, refuseManyInvites } from './desk-http.ts';
import { closureRoutes } from './closure-routes.ts';
import { journalRoutes } from './journal-routes.ts';
import { perform } from './perform.ts';
import { findModeratedPerson, personRoutes } from './person-routes.ts';
import { pendingRoutes, postRoutes } from './post-routes.ts';

/** Links of invitations, and the link that makes its reader the first owner of the wall. */
function joinRoutes(app: FastifyInstance, { db, config, wall, secrets, security, now }: InvitationOptions): void {
  const asOwnerCode = (code: string) => orNotFound(isOwnerCode(secrets, code, now()) ? code : undefined);

  serve(app, 'GET /invitations/{code}', async ({ params }) => ({
    inviter: orNotFound(await findInviter(db.read, params.code)),
    writers: wall.readers === 'members' ? [] : await lastWriters(db.read),
    ...(await whomToAsk(db.read, config)),
  }));

  serve(app, 'GET /owner-links/{code}', async ({ params }) => {
    asOwnerCode(params.code);
    orNotFound((await waitsForOwner(db.read)) ? params : undefined);
  });

  serve(app, 'POST /owner-links/{code}', async ({ params, request }) => {
    asOwnerCode(params.code);
    const { userId } = sessionCallerOf(request);
    await db.tx(async (tx) => {
      const { username } = orNotFound(await findCurrentUser(tx.db, userId));
      actIdOf(await actBecomeOwner(tx, { id: userId, username }, now()));
    });
    security.note('became-owner', request, { user: userId });
  });
}

interface InvitationOptions extends SessionOptions {
  wall: Pick<WallSettings, 'inviteTerms' | 'readers'>;
}

/** The links by which members invite others. */
function invitationRoutes(app: FastifyInstance, { db, config, secrets, wall, now }: InvitationOptions): void {
  const spending = spendingIn({ db, config, now });

  async function show(from: Kysely<Schema>, userId: number): Promise<Invitations> {
    const [made, right] = await Promise.all([
      listMemberInvites(from, secrets, userId),
      rightToInvite(from, { userId, terms: wall.inviteTerms, now: now() }),
    ]);
    const invitations = made.map((one) => ({ ...one, url: config.publicUrl + addresses.join.href(one) }));
    return { invitations, ...right };
  }

  serve(app, 'GET /users/current/invitations', ({ request }) => show(db.read, callerOf(request).userId));

  serve(app, 'POST /users/current/invitations', ({ request, headers }) =>
    spending(request, async (tx, caller) => {
      const key = headers['idempotency-key'];
      const make = async (): Promise<number> => {
        await refuseManyInvites(tx, caller.userId, caller.now, 1);
        const made = await makeMemberInvite(tx, secrets, { ...caller, terms: wall.inviteTerms });
        if ('id' in made) return made.id;
        throw new ApiError('FORBIDDEN', { message: made.refused });
      };
      if (key === undefined) await make();
      else await writeOnce(tx, { key: `${caller.userId} invitation ${key}`, now: caller.now }, make);
      return show(tx.db, caller.userId);
    }),
  );

  serve(app, 'DELETE /users/current/invitations/{id}', ({ request, params }) =>
    spending(request, async (tx, { userId }) => {
      if (!(await endMemberInvite(tx, { userId, id: idOf(params) }))) throw new ApiError('NOT_FOUND');
      return show(tx.db, userId);
    }),
  );
}

/** People blocked by one act on a branch, so that the request ends in time. */
const blockedAtOnce = 100;
/** People beyond this number are not counted. */
const countedAtMost = 1_000;

interface BlockedBranch {
  blocked: number;
  /** The people of the branch who are still to be blocked. */
  remaining: number;
}

/** Blocks a person and the blockable people of the branch. Each block has its own entry in the journal and can be undone. */
async function actBlockBranch(
  db: Database,
  open: (tx: Tx) => Promise<{ id: number; by: By; role: string | null; isBlocked: boolean }>,
  { removePosts }: { removePosts: boolean },
): Promise<BlockedBranch | Refusal<'oneself' | 'moderator'>> {
  const { by, people, refusal } = await db.tx(async (tx) => {
    const { id, role, isBlocked, by: acting } = await open(tx);
    const refused = refusalFor(id, role, acting);
    const limit = blockedAtOnce + countedAtMost;
    const below = refused ? [] : await findBranch(tx.db, id, { limit, only: 'blockable' });
    return { by: acting, people: isBlocked ? below : [{ id }, ...below], refusal: refused };
  });
  if (refusal) return refusal;
  let blocked = 0;
  for (const { id } of people.slice(0, blockedAtOnce)) {
    const { outcome } = await perform(db, async (tx) =>
      // The moderator may have been dismissed since the first transaction.
      (await moderatorName(tx.db, by.moderatorId!)) === undefined
        ? { refused: 'missing' }
        : { act: 'block', id, by, given: { removePosts } },
    );
    if (!('refused' in outcome)) blocked += 1;
  }
  return { blocked, remaining: Math.min(countedAtMost, Math.max(0, people.length - blockedAtOnce)) };
}

function refusalFor(
  id: number,
  role: string | null,
  { moderatorId }: By,
): Refusal<'oneself' | 'moderator'> | undefined {
  if (moderatorId === id) return { refused: 'oneself' };
  return role === null ? undefined : { refused: 'moderator' };
}

const shown = 100;

/** The tree of invitations, and acts on a person and the person's branch. */
function branchRoutes(app: FastifyInstance, { db, actor }: DeskOptions): void {
  serve(app, 'GET /moderation/people/{username}/branch', async ({ params }): Promise<Branch> => {
    const id = Number(orNotFound(await findUser(db.read, params.username)).id);
    const [inviter, barred, rows] = await Promise.all([
      findInviterOf(db.read, id),
      nearestWithoutInvites(db.read, id),
      findBranch(db.read, id, { limit: shown + 1, only: 'all' }),
    ]);
    const ended = barred === id ? 'no' : 'branch';
    return {
      inviter: inviter ? namesOf(inviter) : null,
      may_invite: barred === undefined ? 'yes' : ended,
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

  serve(app, 'POST /moderation/people/{username}/branch/block', async (acting) => {
    const outcome = await actBlockBranch(
      db,
      async (tx) => {
        const opened = await actor.named(tx, acting);
        if ('refused' in opened) throw apiErrorOf(opened.refused);
        await actor.requireCode(tx, acting.request);
        const { role, blocked } = orNotFound(await findModeratedPerson(tx.db, opened.id));
        return { ...opened, role, isBlocked: blocked !== null };
      },
      { removePosts: acting.body.remove_posts },
    );
    if ('refused' in outcome) throw apiErrorOf(outcome.refused);
    return outcome;
  });
}

/** People who have left are in the tree without a name. */
const namesOf = (row: NamedRow) =>
  row.deleted_at === null ? shownNames(row) : { username: null, display_name: null, face: null };

const daySeconds = 24 * 3_600;

/** All parameters of the calls below. Each call has some of them. */
type ActCall = Pick<ServedCall<never>, 'request'> & {
  params?: { id?: string; username?: string };
  body?: {
    reason?: string;
    post_id?: string;
    remove_posts?: boolean;
    restore_posts?: boolean;
    owner?: boolean;
    days?: number;
    seconds?: number;
    until?: number | null;
  };
};

/** Serves the calls of `keeperActs`: acts on posts, discussions and people. */
function actRoutes(app: FastifyInstance, { db, actor, now }: DeskOptions): void {
  for (const act of Object.keys(keeperActs) as Called[]) {
    const { call, target, budget, needsCode } = keeperActs[act];
    if (call === undefined) continue;

    serve(app, call.path, async (served) => {
      const { params, request, ...sent } = served as ActCall;
      // A call without a body may also be sent null.
      const body = sent.body ?? {};
      const acting = { request, body };
      const username = params?.username;
      // 0 stands for no id: the call that unpins the pinned post has none, and a person is found by username.
      const id = act === 'unpin' || target === 'person' ? 0 : orNotFound(parseId(params?.id ?? body.post_id ?? ''));
      const { outcome, counts } = await perform(db, async (tx) => {
        const opened =
          username === undefined
            ? { id, by: await actor.by(tx, acting, budget) }
            : await actor.named(tx, { ...acting, params: { username } }, budget);
        if ('refused' in opened) return opened;
        if (needsCode) await actor.requireCode(tx, request);
        return { ...opened, act, given: givenIn(body) };
      });
      const { removed_posts: removed, restored_posts: restored, settled_reports: settled = 0 } = counts;
      const { postId } = outcome as { postId?: number | null };
      const done = {
        act_id: actIdOf(outcome),
        posts: removed ?? restored ?? 0,
        settled_reports: settled,
        post_id: postId === undefined || postId === null ? null : String(postId),
      };
      const { properties } = calls[call.path].reply as TObject;
      return Object.fromEntries(Object.entries(done).filter(([name]) => name in properties)) as never;
    });
  }

  function givenIn({ days, until, ...body }: NonNullable<ActCall['body']>): Given {
    return {
      removePosts: body.remove_posts,
      restorePosts: body.restore_posts,
      owner: body.owner,
      seconds: body.seconds,
      until: until ?? (days === undefined ? null : now() + days * daySeconds),
    };
  }
}

/** A mailed code that confirms the moderator of a session for a while. */
function confirmationRoutes(app: FastifyInstance, options: SessionOptions): void {
  const { security } = options;
  const flow = makeOwnCodeFlow(options);

  serve(app, 'POST /moderation/confirmation', ({ body, request }) =>
    flow.start(request, { ...body, purpose: 'moderation' }, ownAddress),
  );

  serve(app, 'POST /moderation/confirmation/{id}/verify', async ({ params, body, request }) => {
    const attempt = { ...params, ...body, purpose: 'moderation' } as const;
    const confirmed = await flow.verify(request, attempt, async (tx, { sessionId }, _code, at) => ({
      confirmed_until: await confirmModerator(tx, sessionId, at),
    }));
    security.note('moderator-confirmed', request, { user: callerOf(request).userId });
    return confirmed;
  });
}

/**
 * The calls of keepers at the moderation desk, and a few calls of members and visitors, such as those about invitations. The guard
 * of the session has checked the access of each call.
 */
export function deskRoutes(app: FastifyInstance, options: InvitationOptions): void {
  const desk = { ...options, actor: makeActor(options) };
  actRoutes(app, desk);
  postRoutes(app, desk);
  pendingRoutes(app, desk);
  closureRoutes(app, desk);
  personRoutes(app, desk);
  journalRoutes(app, desk);
  confirmationRoutes(app, options);
  branchRoutes(app, desk);
  joinRoutes(app, options);
  invitationRoutes(app, options);
}
