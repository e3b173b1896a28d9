import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import * as schema from '#contract/account.schema.ts';
import * as account from '#contract/account.ts';
import type { CurrentUser, PublicUser } from '#contract/account.ts';
import { normalizeAbout, normalizeDisplayName, type ProfileLine } from '#contract/profile-text.ts';
import { usernameProblem } from '#contract/username-problem.ts';
import { usernameKey } from '#contract/username.ts';
import type { Schema } from '../../db/schema.ts';
import { jsonType } from '../../http/response.ts';
import { ApiError } from '../../http/api-error.ts';
import { orNotFound } from '../../http/requests.ts';
import { readable } from '../../http/readable.ts';
import { serve } from '../../http/serve.ts';
import { commitOrRefuse, spendOrRefuse } from '../../limits/http.ts';
import type { Notice } from '../../mail/notices.ts';
import { queueNotice } from '../../mail/outbox.ts';
import { writingBudgets } from '../../limits/writing-budgets.ts';
import { type SessionOptions, callerOf } from '../sessions/http.ts';
import { closeAllSessionsOf, confirmSession } from '../sessions/store.ts';
import { endOperationsOf } from '../sign-in/store.ts';
import { secondsUndoable } from './email-changes.ts';
import { makeExports } from './export-http.ts';
import { listKeptData } from './kept-data.ts';
import { makeOwnCodeFlow, ownAddress } from './http.ts';
import { emailUndoable, isReserved, readsLikeKeeper } from './rules.ts';
import {
  changeName,
  changeProfile,
  currentNameOf,
  findCurrentUser,
  deleteUser,
  findUser,
  isReservedForAnother,
  isNameTaken,
  type Profile,
} from './store.ts';

/** The lines as they are stored. */
function acceptProfile({ display_name: name, about }: Profile): Profile {
  const profile: Profile = {};
  if (name !== undefined) profile.display_name = accept(normalizeDisplayName(name ?? ''));
  if (about !== undefined) profile.about = accept(normalizeAbout(about ?? ''));
  if (profile.display_name && readsLikeKeeper(profile.display_name)) {
    throw new ApiError('INVALID_REQUEST', { message: 'Это имя похоже на служебное. Выберите другое.' });
  }
  return profile;
}

function accept(line: ProfileLine): string | null {
  if (!line.ok) throw new ApiError('INVALID_REQUEST', { message: line.reason });
  return line.text;
}

export function accountRoutes(app: FastifyInstance, options: SessionOptions): void {
  const { db, config, secrets, security, now } = options;
  const budgets = writingBudgets(config);
  const flow = makeOwnCodeFlow(options);
  const openExport = makeExports(options);

  serve(app, account.getCurrentUser, schema.getCurrentUser, ({ request }) => currentUser(callerOf(request).userId));

  serve(app, account.getUser, schema.getUser, ({ params }) => publicUser(params.username));
  readable(app, account.getUser, async ({ params }, from) => {
    const reply = await publicUser(params.username, from);
    return { reply, tags: [`user:${Number(reply.id)}`] };
  });

  serve(app, account.checkUsername, schema.checkUsername, async ({ params, request }) => {
    const { userId } = callerOf(request);
    const { username } = params;
    await refuseUnfit(username, userId);
    await spendNameCheck(userId);
    const taken =
      (await isNameTaken(db.read, username, userId)) || (await isReservedForAnother(db.read, username, userId, now()));
    if (taken) throw new ApiError('USERNAME_ALREADY_EXISTS');
    return { available: true } as const;
  });

  serve(app, account.changeProfile, schema.changeProfile, async ({ body, request }) => {
    const { userId } = callerOf(request);
    const { username, ...lines } = body;
    const profile = acceptProfile(lines);
    if (username !== undefined) {
      await refuseUnfit(username, userId);
      await spendNameCheck(userId);
    }
    await commitOrRefuse(
      db,
      async (tx) => {
        if (Object.keys(profile).length > 0) {
          await spendOrRefuse(tx, budgets.profiles(userId), now());
          await changeProfile(tx, userId, profile);
        }
        if (username === undefined) return {};
        return (await changeName(tx, { userId, username, budget: budgets.renames(userId), now: now() })) ?? {};
      },
      'USERNAME_ALREADY_EXISTS',
    );
    if (username !== undefined) security.note('username-changed', request, { user: userId });
    return currentUser(userId);
  });

  serve(app, account.startDeletion, schema.startDeletion, ({ body, request }) =>
    flow.start(request, { ...body, purpose: 'deletion' }, async (tx, caller, at) => {
      const wait = await secondsUndoable(tx.db, caller.userId, at);
      return wait > 0 ? emailUndoable(wait) : ownAddress(tx, caller);
    }),
  );

  serve(app, account.verifyDeletion, schema.verifyDeletion, async ({ params, body, request }) => {
    await flow.verify(request, { ...params, ...body, purpose: 'deletion' }, async (tx, { userId }, { email }, at) => {
      await deleteUser(tx, userId, at);
      await closeAllSessionsOf(tx, userId);
      await endOperationsOf(tx, userId);
      const notice: Notice = { kind: 'deleted', at };
      await queueNotice(tx, { recipient: email, sealed: secrets.seal(JSON.stringify(notice)), now: at });
      return {};
    });
    security.note('account-deleted', request, { user: callerOf(request).userId });
  });

  serve(app, account.startDeviceConfirmation, schema.startDeviceConfirmation, ({ body, request }) =>
    flow.start(request, { ...body, purpose: 'device' }, ownAddress),
  );

  serve(app, account.verifyDeviceConfirmation, schema.verifyDeviceConfirmation, async ({ params, body, request }) => {
    await flow.verify(request, { ...params, ...body, purpose: 'device' }, async (tx, { sessionId }) => {
      await confirmSession(tx, sessionId);
      return {};
    });
  });

  serve(app, account.getKeptData, schema.getKeptData, async ({ request }) => {
    const { userId: id } = callerOf(request);
    const { email } = await currentUser(id);
    return { kept: await listKeptData(db.read, { id, email }) };
  });

  serve(app, account.exportAccount, schema.exportAccount, async ({ request, reply }) => {
    const file = await openExport(callerOf(request).userId);
    void reply.header('content-disposition', 'attachment; filename="stena.json"').type(jsonType);
    return file;
  });

  async function currentUser(id: number): Promise<CurrentUser> {
    const user = await findCurrentUser(db.read, id);
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

  /** In a transaction of its own: that of a change is rolled back when the name is taken, and a change reports that too. */
  async function spendNameCheck(userId: number): Promise<void> {
    await db.tx((tx) => spendOrRefuse(tx, budgets.nameChecks(userId), now()));
  }

  async function refuseUnfit(username: string, userId: number): Promise<void> {
    const problem = usernameProblem(username);
    if (problem !== null) throw new ApiError('INVALID_USERNAME', { message: problem });
    if (!isReserved(username)) return;
    // Somebody who had the name before it was reserved keeps it.
    const own = (await currentUser(userId)).username;
    if (usernameKey(own) !== usernameKey(username)) {
      throw new ApiError('USERNAME_ALREADY_EXISTS', { message: 'Это имя похоже на служебное. Выберите другое.' });
    }
  }
}
