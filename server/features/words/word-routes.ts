import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/limits.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { serve } from '../../http/serve.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { callerOf, spendingIn } from '../sessions/session-http.ts';
import { putWord, removeWord, wordsOf } from './word-store.ts';

const problems = {
  'not a word': `Нужно одно слово или #тег, не длиннее ${limits.wordLength} знаков.`,
  'too many': `Таких слов уже ${limits.words}. Чтобы добавить ещё одно, уберите какое-нибудь из них.`,
};

export function wordRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, 'GET /users/current/words', async ({ request }) => ({
    words: (await wordsOf(db.read, callerOf(request).userId)).map(({ word, kind }) => ({ word, kind })),
  }));

  serve(app, 'PUT /users/current/words/{word}', async ({ params, body, request }) => {
    await spending(request, async (tx, { userId }) => {
      const outcome = await putWord(tx, { userId, ...params, ...body });
      if (outcome !== 'put') throw new ApiError('INVALID_REQUEST', { message: problems[outcome] });
    });
  });

  serve(app, 'DELETE /users/current/words/{word}', async ({ params, request }) => {
    await spending(request, (tx, { userId }) => removeWord(tx, userId, params.word));
  });
}
