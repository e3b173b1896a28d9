import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/account.schema.ts';
import * as account from '#contract/account.ts';
import type { PublicUser } from '#contract/account.ts';
import { usernameProblem } from '#contract/username.ts';
import type { AuthOptions } from '../auth/auth-options.ts';
import { AlreadyTaken } from '../db/database.ts';
import { jsonType } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { serve } from '../http/serve.ts';
import { spendOrRefuse, tooMany } from '../limits/spend-or-refuse.ts';
import { writingBudgets } from '../limits/writing-budgets.ts';
import { callerOf } from '../sessions/guard.ts';
import { changeName } from './change-name.ts';
import { makeConfirmedChanges } from './confirmed-changes.ts';
import { makeExports } from './export.ts';
import { currentNameOf, isKeptForAnother } from './left-names.ts';
import { isReserved } from './rules.ts';
import { type CurrentUser, findCurrentUser, findUser, isNameTaken, usernameKey } from './store.ts';

export function accountRoutes(app: FastifyInstance, options: AuthOptions): void {
  const { db, config, security, now } = options;
  const budgets = writingBudgets(config);
  const changes = makeConfirmedChanges(options);
  const openExport = makeExports(options);

  serve(app, account.getCurrentUser, schema.getCurrentUser, ({ request }) => currentUser(callerOf(request).userId));

  serve(app, account.getUser, schema.getUser, async ({ params }) => {
    const user = (await findUser(db.read, params.username)) ?? (await findUserByLeftName(params.username));
    if (!user) throw new ApiError('NOT_FOUND');
    return user;
  });

  serve(app, account.checkUsername, schema.checkUsername, async ({ params, request }) => {
    const { userId } = callerOf(request);
    const { username } = params;
    await refuseUnfit(username, userId);
    await db.tx((tx) => spendOrRefuse(tx, budgets.nameChecks(userId), now()));
    const taken =
      (await isNameTaken(db.read, username, userId)) || (await isKeptForAnother(db.read, username, userId, now()));
    if (taken) throw new ApiError('USERNAME_ALREADY_EXISTS');
    return { available: true } as const;
  });

  serve(app, account.changeProfile, schema.changeProfile, async ({ body, request }) => {
    const { userId } = callerOf(request);
    const { username } = body;
    await refuseUnfit(username, userId);
    const changing = db.tx((tx) => changeName(tx, { userId, username, budget: budgets.renames(userId), now: now() }));
    const exhausted = await changing.catch((error: unknown) => {
      if (error instanceof AlreadyTaken) throw new ApiError('USERNAME_ALREADY_EXISTS');
      throw error;
    });
    if (exhausted) throw tooMany(exhausted, 'Имя можно менять три раза в день.');
    security.note('username-changed', request, { user: userId });
    return currentUser(userId);
  });

  serve(app, account.startEmailChange, schema.startEmailChange, ({ body, request }) =>
    changes.startEmailChange(body.email, body.clientToken, request),
  );

  serve(app, account.verifyEmailChange, schema.verifyEmailChange, ({ params, body, request }) =>
    changes.verifyEmailChange({ ...params, ...body }, request),
  );

  serve(app, account.startDeletion, schema.startDeletion, ({ body, request }) =>
    changes.startDeletion(body.clientToken, request),
  );

  serve(app, account.verifyDeletion, schema.verifyDeletion, ({ params, body, request }) =>
    changes.verifyDeletion({ ...params, ...body }, request),
  );

  serve(app, account.startDeviceConfirmation, schema.startDeviceConfirmation, ({ body, request }) =>
    changes.startDeviceConfirmation(body.clientToken, request),
  );

  serve(app, account.verifyDeviceConfirmation, schema.verifyDeviceConfirmation, ({ params, body, request }) =>
    changes.verifyDeviceConfirmation({ ...params, ...body }, request),
  );

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

  async function findUserByLeftName(username: string): Promise<PublicUser | undefined> {
    const current = await currentNameOf(db.read, username, now());
    return current === undefined ? undefined : findUser(db.read, current);
  }

  async function refuseUnfit(username: string, userId: number): Promise<void> {
    const problem = usernameProblem(username);
    if (problem !== null) throw new ApiError('INVALID_USERNAME', { message: problem });
    if (!isReserved(username)) return;
    // A name from before it was reserved stays its owner's.
    const own = (await currentUser(userId)).username;
    if (usernameKey(own) !== usernameKey(username)) throw new ApiError('USERNAME_ALREADY_EXISTS');
  }
}
