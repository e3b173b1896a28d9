import type { FastifyInstance } from 'fastify';
import { listSuggestions } from '#contract/suggestions.ts';
import * as schema from '#contract/suggestions.schema.ts';
import { parseId } from '../../db/parse-id.ts';
import { serve } from '../../http/serve.ts';
import { spendOrRefuse } from '../../limits/http.ts';
import { writingBudgets, type WritingOptions } from '../../limits/writing-budgets.ts';
import { callerOf } from '../sessions/http.ts';
import { suggestPeople } from './suggestions.ts';

export function suggestionRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const budgets = writingBudgets(config);

  serve(app, listSuggestions, schema.listSuggestions, async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { q: typed = '', post_id: post } = query;
    await db.tx((tx) => spendOrRefuse(tx, budgets.suggestions(userId), now()));
    const postId = post === undefined ? undefined : parseId(post);
    return { users: await suggestPeople(db, { userId, typed, postId }) };
  });
}
