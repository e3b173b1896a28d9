import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/account.schema.ts';
import * as account from '#contract/account.ts';
import { usernameProblem } from '#contract/username.ts';
import type { AuthOptions } from '../auth/auth-options.ts';
import { AlreadyTaken } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { serve } from '../http/serve.ts';
import { callerOf } from '../sessions/guard.ts';
import { makeConfirmedChanges } from './confirmed-changes.ts';
import { exportAccount } from './export.ts';
import { isReserved } from './rules.ts';
import { type CurrentUser, findCurrentUser, findUser, isNameTaken, renameUser } from './store.ts';

export function accountRoutes(app: FastifyInstance, options: AuthOptions): void {
  const { db } = options;
  const changes = makeConfirmedChanges(options);

  serve(app, account.getCurrentUser, schema.getCurrentUser, ({ request }) => currentUser(callerOf(request).userId));

  serve(app, account.getUser, schema.getUser, async ({ params }) => {
    const user = await findUser(db.read, params.username);
    if (!user) throw new ApiError('NOT_FOUND');
    return user;
  });

  serve(app, account.checkUsername, schema.checkUsername, async ({ params, request }) => {
    const { userId } = callerOf(request);
    refuseUnfit(params.username);
    if (await isNameTaken(db.read, params.username, userId)) throw new ApiError('USERNAME_ALREADY_EXISTS');
    return { available: true } as const;
  });

  serve(app, account.changeProfile, schema.changeProfile, async ({ body, request }) => {
    const { userId } = callerOf(request);
    refuseUnfit(body.username);
    try {
      await db.tx((tx) => renameUser(tx, userId, body.username));
    } catch (error) {
      if (error instanceof AlreadyTaken) throw new ApiError('USERNAME_ALREADY_EXISTS');
      throw error;
    }
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

  serve(app, account.exportAccount, schema.exportAccount, async ({ request, reply }) => {
    void reply.header('content-disposition', 'attachment; filename="stena.json"');
    return exportAccount(db.read, callerOf(request).userId);
  });

  async function currentUser(id: number): Promise<CurrentUser> {
    const user = await findCurrentUser(db.read, id);
    if (!user) throw new ApiError('UNAUTHORIZED');
    return user;
  }
}

function refuseUnfit(username: string): void {
  const problem = usernameProblem(username);
  if (problem !== null) throw new ApiError('INVALID_USERNAME', { message: problem });
  if (isReserved(username)) throw new ApiError('USERNAME_ALREADY_EXISTS');
}
