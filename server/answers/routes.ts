import type { FastifyInstance } from 'fastify';
import * as answers from '#contract/answers.ts';
import * as schema from '#contract/answers.schema.ts';
import type { Database } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { serve } from '../http/serve.ts';
import { personalTo, PostsAnswer } from '../posts/posts-answer.ts';
import { idOf, pageOf, placeOf } from '../posts/requests.ts';
import { listAnswersTo } from '../posts/store.ts';
import { callerOf } from '../sessions/guard.ts';
import { countUnread, readUpTo } from './store.ts';

export function answerRoutes(app: FastifyInstance, { db, now }: { db: Database; now: () => number }): void {
  serve(app, answers.listAnswers, schema.listAnswers, async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { place, limit } = placeOf(query);
    const page = pageOf(await listAnswersTo(db.read, userId, place, limit), limit);
    const unread = await countUnread(db.read, userId);
    return personalTo(userId, db, new PostsAnswer({ ...page, unread }, page.posts));
  });

  serve(app, answers.readAnswers, schema.readAnswers, async ({ body, request }) => {
    const { userId } = callerOf(request);
    const postId = idOf({ id: body.up_to });
    if (!(await db.tx((tx) => readUpTo(tx, userId, postId, now())))) throw new ApiError('NOT_FOUND');
  });
}
