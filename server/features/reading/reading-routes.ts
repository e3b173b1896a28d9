import type { FastifyInstance } from 'fastify';
import { parseId } from '../../db/ids.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { serve } from '../../http/serve.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { callerOf, spendingIn } from '../sessions/session-http.ts';
import { feedList } from '../../live/own-changes.ts';
import { listFrom, positionsOf, readTo } from './reading-store.ts';

export function readingRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, 'GET /users/current/reading', async ({ query, request }) => {
    const thread = parseId(query.thread ?? '');
    const found = await positionsOf(
      db.read,
      callerOf(request).userId,
      thread === undefined ? [feedList] : [feedList, thread],
    );
    const positionIn = (list: number | undefined): string | null => {
      const position = found.find((each) => each.list === list);
      return position ? String(position.post_id) : null;
    };
    return { feed: positionIn(feedList), thread: positionIn(thread) };
  });

  serve(app, 'PUT /users/current/reading', async ({ body, request }) => {
    const list = listFrom(body.list);
    const postId = parseId(body.post_id);
    // A position ahead of every post would mark all future posts as read and could not be moved back.
    const newest = await db.largestPostId();
    if (postId === undefined || postId > newest || list > newest) {
      throw new ApiError('INVALID_REQUEST', { message: 'Такой записи ещё не было.' });
    }
    const furthest = await spending(request, (tx, caller) => readTo(tx, { ...caller, list, postId }));
    return { post_id: String(furthest) };
  });
}
