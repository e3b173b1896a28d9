import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/notifications.schema.ts';
import * as notifications from '#contract/notifications.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/api-error.ts';
import { idOf } from '../../http/requests.ts';
import { serve } from '../../http/serve.ts';
import { callerOf } from '../sessions/http.ts';
import { readUpTo } from './store.ts';

/** The list of notifications consists of posts: posts/routes.ts serves it. */
export function notificationRoutes(app: FastifyInstance, { db, now }: { db: Database; now: () => number }): void {
  serve(app, notifications.readNotifications, schema.readNotifications, async ({ body, request }) => {
    const { userId } = callerOf(request);
    const postId = idOf({ id: body.up_to });
    if (!(await db.tx((tx) => readUpTo(tx, userId, postId, now())))) throw new ApiError('NOT_FOUND');
  });
}
