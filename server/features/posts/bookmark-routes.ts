import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/bookmarks.schema.ts';
import * as bookmarks from '#contract/bookmarks.ts';
import { idOf, orNotFound } from '../../http/requests.ts';
import { serve } from '../../http/serve.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { belowOf, personalTo, placeOf, PostsResponse } from './http.ts';
import { toCursor } from './rules.ts';
import { findPost } from './store.ts';
import { callerOf } from '../sessions/http.ts';
import { spendingIn } from '../sessions/spending-http.ts';
import { addBookmark, deleteBookmark, isBookmarked, listBookmarked } from './bookmarks.ts';

export function bookmarkRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, bookmarks.listBookmarks, schema.listBookmarks, async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { place, limit } = placeOf(query);
    const { posts, next } = await listBookmarked(db.read, { userId, below: belowOf(place), limit });
    const reply = { posts, next: next === null ? null : toCursor(next) };
    return personalTo(userId, db, new PostsResponse(reply, posts));
  });

  serve(app, bookmarks.getBookmark, schema.getBookmark, async ({ params, request }) => {
    const postId = idOf(params);
    orNotFound(await findPost(db.read, postId));
    return { saved: await isBookmarked(db.read, { userId: callerOf(request).userId, postId }) };
  });

  serve(app, bookmarks.saveBookmark, schema.saveBookmark, async ({ params, request }) => {
    const postId = idOf(params);
    await spending(request, 'bookmarks', async (tx, caller) => {
      orNotFound(await findPost(tx.db, postId));
      await addBookmark(tx, { ...caller, postId });
    });
  });

  // Also of a post that is gone.
  serve(app, bookmarks.removeBookmark, schema.removeBookmark, async ({ params, request }) => {
    const postId = idOf(params);
    await spending(request, 'bookmarks', (tx, { userId }) => deleteBookmark(tx, { userId, postId }));
  });
}
