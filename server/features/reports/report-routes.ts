import type { FastifyInstance } from 'fastify';
import { normalizeComment } from '#contract/text.ts';
import { jsonResponse } from '../../http/response.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { idOf, orNotFound, serve } from '../../http/serve.ts';
import { spendOrRefuse } from '../../limits/limits-http.ts';
import { writingBudgets, type WritingOptions } from '../../limits/writing-budgets.ts';
import { lockVisiblePost } from '../posts/post-writes.ts';
import { callerOf } from '../sessions/session-http.ts';
import { addReport, hasReported, isReason, reasons } from './report-store.ts';

export function reportRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const budgets = writingBudgets(config);
  const allReasons = jsonResponse({ reasons });

  serve(app, 'GET /reports/reasons', () => allReasons);

  serve(app, 'POST /posts/{id}/reports', async ({ params, query, body, request }) => {
    const { userId } = callerOf(request);
    const id = idOf(params);
    const reasonId = query.reason_id;
    if (!isReason(reasonId)) throw new ApiError('INVALID_REQUEST', { message: 'Выберите причину жалобы.' });
    const comment = normalizeComment(body?.comment);
    if (!comment.ok) throw new ApiError('INVALID_REQUEST', { message: comment.reason });
    await db.tx(async (tx) => {
      const post = orNotFound(await lockVisiblePost(tx, id));
      if (post.user_id === userId) throw new ApiError('FORBIDDEN', { message: 'На свою запись пожаловаться нельзя.' });
      if (await hasReported(tx, id, userId)) return;
      await spendOrRefuse(tx, budgets.reports(userId), now());
      await addReport(tx, { post, userId, reasonId, comment: comment.text, now: now() });
    });
  });
}
