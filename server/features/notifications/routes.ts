import type { FastifyInstance } from 'fastify';
import type { CallOf } from '#contract/endpoint.ts';
import * as schema from '#contract/notifications.schema.ts';
import * as notifications from '#contract/notifications.ts';
import { ApiError } from '../../http/api-error.ts';
import { idOf, orNotFound } from '../../http/requests.ts';
import { serve, type ServedCall } from '../../http/serve.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { callerOf } from '../sessions/http.ts';
import { spendingIn } from '../sessions/spending-http.ts';
import { discussionOf, isFollowing, notificationSettingsOf, setFollowing, setNotificationSettings } from './follows.ts';
import { readUpTo } from './store.ts';

type FollowCall = Pick<ServedCall<CallOf<typeof schema.follow>>, 'params' | 'request'>;

/** The list of notifications consists of posts: posts/routes.ts serves it. */
export function notificationRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, notifications.readNotifications, schema.readNotifications, async ({ body, request }) => {
    const { userId } = callerOf(request);
    const postId = idOf({ id: body.up_to });
    if (!(await db.tx((tx) => readUpTo(tx, userId, postId)))) throw new ApiError('NOT_FOUND');
  });

  serve(app, notifications.getFollow, schema.getFollow, async ({ params, request }) => {
    const { userId } = callerOf(request);
    const rootId = orNotFound(await discussionOf(db.read, idOf(params)));
    return { following: await isFollowing(db.read, { rootId, userId }) };
  });

  serve(app, notifications.follow, schema.follow, (call) => choose(call, true));
  serve(app, notifications.unfollow, schema.unfollow, (call) => choose(call, false));

  serve(app, notifications.getNotificationSettings, schema.getNotificationSettings, ({ request }) =>
    notificationSettingsOf(db.read, callerOf(request).userId),
  );

  serve(app, notifications.putNotificationSettings, schema.putNotificationSettings, async ({ body, request }) => {
    await spending(request, 'settings', (tx, { userId }) => setNotificationSettings(tx, userId, body));
    return body;
  });

  async function choose({ params, request }: FollowCall, following: boolean): Promise<{ following: boolean }> {
    const postId = idOf(params);
    await spending(request, 'follows', async (tx, { userId }) => {
      const rootId = orNotFound(await discussionOf(tx.db, postId));
      await setFollowing(tx, { rootId, userId }, following);
    });
    return { following };
  }
}
