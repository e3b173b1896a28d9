import type { FastifyInstance } from 'fastify';
import { normalizeComment } from '#contract/report-comment.ts';
import * as schema from '#contract/reports.schema.ts';
import * as reports from '#contract/reports.ts';
import { jsonResponse } from '../../http/response.ts';
import { ApiError } from '../../http/api-error.ts';
import { serve } from '../../http/serve.ts';
import { spendOrRefuse } from '../../limits/http.ts';
import { writingBudgets, type WritingOptions } from '../../limits/writing-budgets.ts';
import { idOf, orNotFound } from '../../http/requests.ts';
import { lockVisiblePost } from '../posts/writes.ts';
import { callerOf } from '../sessions/http.ts';
import { isReason, reasons } from './rules.ts';
import { addReport, hasReported } from './store.ts';

export function reportRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const budgets = writingBudgets(config);
  const allReasons = jsonResponse({ reasons });

  serve(app, reports.listReasons, schema.listReasons, () => allReasons);

  serve(app, reports.reportPost, schema.reportPost, async ({ params, query, body, request }) => {
    const { userId } = callerOf(request);
    const id = idOf(params);
    const reasonId = query.reason_id;
    if (!isReason(reasonId)) throw new ApiError('INVALID_REQUEST', { message: 'Выберите причину жалобы.' });
    const comment = normalizeComment(reasonId, body?.comment);
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
