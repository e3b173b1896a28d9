import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as notificationsSchema from '#contract/notifications.schema.ts';
import * as notifications from '#contract/notifications.ts';
import * as schema from '#contract/posts.schema.ts';
import * as posts from '#contract/posts.ts';
import type { Database } from '../../db/database.ts';
import { serve } from '../../http/serve.ts';
import type { PersonalJson } from '../../http/response.ts';
import { countUnreadPosts } from '../notifications/store.ts';
import { callerOf } from '../sessions/http.ts';
import { type AsideOptions, readBeside } from './aside-http.ts';
import { addLastReplies } from './discussed.ts';
import { listWaiting } from './first-posts.ts';
import { listFollowed } from './following.ts';
import { asksForAside, belowOf, pageOf, personalTo, placeOf, PostsResponse, withPinnedLast } from './http.ts';
import { listRestorable } from './own-deletion.ts';
import { listPendingOf } from './pending-posts.ts';
import { listRemovedPostsOf } from './removed-posts.ts';
import { type ListQuery, toCursor } from './rules.ts';
import { type listLiked, listNotificationsOf, listRepliesOf, rootsOf } from './store.ts';

export interface OwnListOptions extends AsideOptions {
  db: Database;
}

/** Lists that only the caller sees; they are never cached. */
export function ownListRoutes(app: FastifyInstance, options: OwnListOptions): void {
  const { db, now } = options;

  serve(app, posts.listWaiting, schema.listWaiting, async ({ request }) => ({
    posts: await listWaiting(db.read, callerOf(request).userId, now()),
  }));

  serve(app, posts.listOwnReplies, schema.listOwnReplies, ({ query, request }) =>
    ownList(options, request, query, listRepliesOf),
  );

  serve(app, notifications.listNotifications, notificationsSchema.listNotifications, async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { place, limit } = placeOf(query);
    const found = await listNotificationsOf(db.read, userId, place, limit);
    const page = pageOf(found, limit);
    const roots = await rootsOf(db.read, page.posts);
    const reply = { ...page, kinds: found.kinds ?? [], roots, unread: await countUnreadPosts(db.read, userId) };
    return personalTo(userId, db, new PostsResponse(reply, [...page.posts, ...roots]));
  });

  serve(app, notifications.listFollowing, notificationsSchema.listFollowing, async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { place, limit } = placeOf(query);
    const { discussions, next } = await listFollowed(db.read, { userId, below: belowOf(place), limit });
    const beside = asksForAside(query) ? (await readBeside(db.read, options)).reply : {};
    const reply: notifications.FollowedPage = { discussions, next: next === null ? null : toCursor(next), ...beside };
    const shown = discussions.map(({ post }) => post);
    return personalTo(userId, db, new PostsResponse(reply, withPinnedLast(shown, reply)));
  });

  serve(app, posts.listRemoved, schema.listRemoved, async ({ request }) => {
    const { userId } = callerOf(request);
    return {
      posts: await listRemovedPostsOf(db.read, userId),
      deleted: await listRestorable(db.read, { userId, now: now() }),
      pending: await listPendingOf(db.read, userId),
    };
  });
}

export async function ownList(
  { db, now }: OwnListOptions,
  request: FastifyRequest,
  query: ListQuery,
  read: typeof listLiked,
): Promise<PersonalJson> {
  const { userId } = callerOf(request);
  const { place, limit } = placeOf(query);
  const page = pageOf(await read(db.read, userId, place, limit), limit);
  await addLastReplies(db.read, page.posts, now());
  return personalTo(userId, db, new PostsResponse(page, page.posts));
}
