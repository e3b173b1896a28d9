import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/reading.schema.ts';
import * as reading from '#contract/reading.ts';
import { parseId } from '../../db/parse-id.ts';
import { ApiError } from '../../http/api-error.ts';
import { serve } from '../../http/serve.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { callerOf } from '../sessions/http.ts';
import { spendingIn } from '../sessions/spending-http.ts';
import { feedList } from '../../live/own-changes.ts';
import { listFrom } from './rules.ts';
import { positionsOf, readTo } from './store.ts';

export function readingRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, reading.getReading, schema.getReading, async ({ query, request }) => {
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

  serve(app, reading.putReading, schema.putReading, async ({ body, request }) => {
    const list = listFrom(body.list);
    const postId = parseId(body.post_id);
    // A position ahead of every post would hide all that comes, and could not be moved back.
    const newest = await db.largestId('posts');
    if (postId === undefined || postId > newest || list > newest) {
      throw new ApiError('INVALID_REQUEST', { message: 'Такой записи ещё не было.' });
    }
    const furthest = await spending(request, 'readings', (tx, caller) => readTo(tx, { ...caller, list, postId }));
    return { post_id: String(furthest) };
  });
}
