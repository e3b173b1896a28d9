import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/account.schema.ts';
import * as account from '#contract/account.ts';
import type { Database } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { callerOf } from '../sessions/guard.ts';
import { serve } from '../http/serve.ts';
import { findCurrentUser, findUser } from './store.ts';

export function accountRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  serve(app, account.getCurrentUser, schema.getCurrentUser, async ({ request }) => {
    const user = await findCurrentUser(db.read, callerOf(request).userId);
    if (!user) throw new ApiError('UNAUTHORIZED');
    return user;
  });

  serve(app, account.getUser, schema.getUser, async ({ params }) => {
    const user = await findUser(db.read, params.username);
    if (!user) throw new ApiError('NOT_FOUND');
    return user;
  });
}
