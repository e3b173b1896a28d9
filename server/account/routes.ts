import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/account.schema.ts';
import * as account from '#contract/account.ts';
import type { Database } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { serve } from '../http/serve.ts';
import { findUser } from './store.ts';

export function accountRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  serve(app, account.getUser, schema.getUser, async ({ params }) => {
    const user = await findUser(db.read, params.username);
    if (!user) throw new ApiError('NOT_FOUND');
    return user;
  });
}
