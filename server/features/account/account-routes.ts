import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { CurrentUser, PublicUser } from '#contract/account.ts';
import { normalizeFace } from '#contract/face.ts';
import { normalizeAbout, normalizeDisplayName, type ProfileLine } from '#contract/profile-text.ts';
import { usernameProblem } from '#contract/username-problem.ts';
import { usernameKey } from '#contract/username.ts';
import type { Schema } from '../../db/schema.ts';
import { jsonType } from '../../http/response.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { orNotFound, serve } from '../../http/serve.ts';
import { readable } from '../../http/readable.ts';
import { commitOrRefuse, spendOrRefuse } from '../../limits/limits-http.ts';
import type { Notice } from '../../mail/notices.ts';
import { queueNotice } from '../../mail/outbox.ts';
import type { VisitorShare } from '../../limits/read-shares-http.ts';
import { writingBudgets } from '../../limits/writing-budgets.ts';
import { isLastOwner, lockOwners } from '../moderation/roles.ts';
import type { WallSettings } from '../wall-texts/wall-settings.ts';
import { isFollowedAuthor } from '../following/followed-authors.ts';
import { refusalOfProfile } from '../posts/gate.ts';
import { findNamesake } from '../../names/namesakes.ts';
import { callerOf, type SessionOptions } from '../sessions/session-http.ts';
import { closeAllSessionsOf } from '../sessions/session-store.ts';
import { endOperationsOf } from '../sign-in/sign-in-store.ts';
import { refusalWhileUndoable } from './email-changes.ts';
import { listStoredData, makeExports } from './export-http.ts';
import { displayNameProblem, isReserved } from './keeper-names.ts';
import { makeOwnCodeFlow, ownAddress } from './own-codes-http.ts';
import { lastOwner } from './account-rules.ts';
import {
  changeName,
  changeProfile,
  currentNameOf,
  deleteUser,
  findCurrentUser,
  findUser,
  isNameTaken,
  isReservedForAnother,
  type Profile,
  putOffName,
  usernameFor,
} from './account-store.ts';

/** Checks display name, face and about, and returns them in the form in which they are stored. */
function acceptProfile({ display_name: name, face, about }: Profile, wallNames: readonly string[]): Profile {
  const profile: Profile = {};
  if (name !== undefined) profile.display_name = accept(normalizeDisplayName(name ?? ''));
  if (face !== undefined) profile.face = accept(normalizeFace(face ?? ''));
  if (about !== undefined) profile.about = accept(normalizeAbout(about ?? ''));
  const problem = profile.display_name ? displayNameProblem(profile.display_name, wallNames) : null;
  if (problem !== null) throw new ApiError('INVALID_REQUEST', { message: problem });
  return profile;
}

function accept(line: ProfileLine): string | null {
  if (!line.ok) throw new ApiError('INVALID_REQUEST', { message: line.reason });
  return line.text;
}

interface AccountOptions extends SessionOptions {
  wall: Pick<WallSettings, 'appName'>;
  visitors: VisitorShare;
}

export function accountRoutes(app: FastifyInstance, options: AccountOptions): void {
  const { db, wall, config, secrets, security, visitors, now } = options;
  const budgets = writingBudgets(config);
  const flow = makeOwnCodeFlow(options);
  const openExport = makeExports(options);
  const wallNames = () => [config.appName, wall.appName];
  const isNotForPeople = (username: string) => isReserved(username, wallNames());

  serve(app, 'GET /users/current', ({ request }) => currentUser(callerOf(request).userId));

  serve(app, 'GET /users/{username}', ({ params, request: { caller } }) =>
    visitors.read(caller !== undefined, async () => {
      const user = await publicUser(params.username);
      if (!caller) return user;
      const following = { userId: caller.userId, authorId: Number(user.id) };
      return { ...user, is_followed: await isFollowedAuthor(db.read, following) };
    }),
  );
  readable(app, 'GET /users/{username}', async ({ params }, from) => {
    const reply = await publicUser(params.username, from);
    return { reply, tags: [`user:${Number(reply.id)}`] };
  });

  serve(app, 'GET /users/{username}/validation', async ({ params, request }) => {
    const { userId } = callerOf(request);
    const { username } = params;
    await refuseUnfit(username, userId);
    await spendNameCheck(userId);
    const taken =
      (await isNameTaken(db.read, username, userId)) || (await isReservedForAnother(db.read, username, userId, now()));
    if (taken) throw new ApiError('USERNAME_ALREADY_EXISTS');
    return { available: true } as const;
  });

  serve(app, 'GET /users/current/name', async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { display_name: name } = acceptProfile(query, wallNames());
    await spendNameCheck(userId);
    if (!name) return { is_taken: false, suggestion: null, username: null };
    const username = await usernameFor(db.read, userId, { name, isReserved: isNotForPeople });
    return { ...(await findNamesake(db.read, userId, name)), username: username ?? null };
  });

  serve(app, 'PATCH /users/current/profile', async ({ body, request }) => {
    const { userId } = callerOf(request);
    const { username, name_later: isPutOff, ...lines } = body;
    const profile = acceptProfile(lines, wallNames());
    if (username !== undefined) {
      await refuseUnfit(username, userId);
      await spendNameCheck(userId);
    }
    await commitOrRefuse(
      db,
      async (tx) => {
        const isChanged = Object.keys(profile).length > 0;
        if (isChanged || isPutOff) await spendOrRefuse(tx, budgets.profiles(userId), now());
        if (isPutOff) await putOffName(tx, userId, now());
        if (isChanged) {
          const refused = await refusalOfProfile(tx, { userId, lines: profile, now: now() });
          if (refused) return refused;
          await changeProfile(tx, userId, profile);
        }
        const { display_name: name } = profile;
        const chosen =
          username ?? (name ? await usernameFor(tx.db, userId, { name, isReserved: isNotForPeople }) : undefined);
        if (chosen === undefined) return {};
        return (await changeName(tx, { userId, username: chosen, budget: budgets.renames(userId), now: now() })) ?? {};
      },
      'USERNAME_ALREADY_EXISTS',
    );
    if (username !== undefined) security.note('username-changed', request, { user: userId });
    return currentUser(userId);
  });

  serve(app, 'POST /users/current/deletion', ({ body, request }) =>
    flow.start(request, { ...body, purpose: 'deletion' }, async (tx, caller, at) => {
      if (await isLastOwner(tx.db, caller.userId)) return lastOwner;
      const undoable = { userId: caller.userId, now: at, act: 'Удалить учётную запись' };
      return (await refusalWhileUndoable(tx.db, undoable)) ?? ownAddress(tx, caller, at);
    }),
  );

  serve(app, 'POST /users/current/deletion/{id}/verify', async ({ params, body, request }) => {
    await flow.verify(request, { ...params, ...body, purpose: 'deletion' }, async (tx, { userId }, { email }, at) => {
      await lockOwners(tx);
      if (await isLastOwner(tx.db, userId)) return lastOwner;
      await deleteUser(tx, userId, at);
      await closeAllSessionsOf(tx, userId);
      await endOperationsOf(tx, userId);
      const notice: Notice = { kind: 'deleted', at };
      await queueNotice(tx, { recipient: email, sealed: secrets.seal(JSON.stringify(notice)), now: at });
      return {};
    });
    security.note('account-deleted', request, { user: callerOf(request).userId });
  });

  serve(app, 'GET /users/current/data', async ({ request }) => {
    const { userId: id } = callerOf(request);
    const { email } = await currentUser(id);
    return { kept: await listStoredData(db.read, { id, email }) };
  });

  serve(app, 'GET /users/current/export', async ({ request, reply }) => {
    const file = await openExport(callerOf(request).userId);
    void reply.header('content-disposition', 'attachment; filename="stena.json"').type(jsonType);
    return file;
  });

  async function currentUser(id: number): Promise<CurrentUser> {
    const user = await findCurrentUser(db.read, id, now());
    if (!user) throw new ApiError('UNAUTHORIZED');
    return user;
  }

  async function publicUser(username: string, from = db.read): Promise<PublicUser> {
    return orNotFound((await findUser(from, username)) ?? (await findUserByLeftName(username, from)));
  }

  async function findUserByLeftName(username: string, from: Kysely<Schema>): Promise<PublicUser | undefined> {
    const current = await currentNameOf(from, username, now());
    return current === undefined ? undefined : findUser(from, current);
  }

  /**
   * Spends in a transaction of its own, because the transaction of a change is rolled back when the name is taken. Without that,
   * attempts to change the name would be an unlimited check of which names are taken.
   */
  async function spendNameCheck(userId: number): Promise<void> {
    await db.tx((tx) => spendOrRefuse(tx, budgets.nameChecks(userId), now()));
  }

  async function refuseUnfit(username: string, userId: number): Promise<void> {
    const problem = usernameProblem(username);
    if (problem !== null) throw new ApiError('INVALID_USERNAME', { message: problem });
    if (!isReserved(username, wallNames())) return;
    // Somebody who had the name before it was reserved keeps it.
    const own = (await currentUser(userId)).username;
    if (usernameKey(own) !== usernameKey(username)) {
      await spendNameCheck(userId);
      if (await isNameTaken(db.read, username, userId)) throw new ApiError('USERNAME_ALREADY_EXISTS');
      throw new ApiError('USERNAME_ALREADY_EXISTS', { message: 'Это имя похоже на служебное. Выберите другое.' });
    }
  }
}
