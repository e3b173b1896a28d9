import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/limits.ts';
import { idOf, serve } from '../../http/serve.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import type { Refusal } from '../../limits/refusal.ts';
import type { Notice } from '../../mail/notices.ts';
import { queueNotice } from '../../mail/outbox.ts';
import { makeOwnCodeFlow, ownAddress } from './own-codes-http.ts';
import { callerOf, type SessionOptions } from '../sessions/session-http.ts';
import { lockAccount } from '../sessions/session-store.ts';
import { newToken, normalizeTokenName, tokenHash } from '../api-tokens/token-rules.ts';
import { addToken, endTokenOf, hasAllTokens, listTokensOf } from '../api-tokens/token-store.ts';

const tooMany: Refusal = {
  refused: 'FORBIDDEN',
  message: `У вас уже ${limits.tokens} токенов. Завершите ненужные, чтобы создать новый.`,
};

/** API tokens. Making one needs a code from the owner's mail, so an open session alone is not enough. */
export function apiTokenRoutes(app: FastifyInstance, options: SessionOptions): void {
  const { db, secrets, security, now } = options;
  const flow = makeOwnCodeFlow(options);

  serve(app, 'GET /users/current/tokens', async ({ request }) => {
    const rows = await listTokensOf(db.read, callerOf(request).userId, now());
    const tokens = rows.map(({ id, name, scope, created_at: createdAt, last_used_at: lastUsedAt }) => ({
      id: String(id),
      name,
      scope,
      createdAt,
      lastUsedAt,
    }));
    return { tokens };
  });

  serve(app, 'POST /users/current/tokens', ({ body, request }) =>
    flow.start(request, { ...body, purpose: 'program-token' }, async (tx, caller, at) =>
      (await hasAllTokens(tx.db, caller.userId, at)) ? tooMany : ownAddress(tx, caller, at),
    ),
  );

  serve(app, 'POST /users/current/tokens/{id}/verify', async ({ params, body, request }) => {
    const { name: given, scope, ...confirmation } = body;
    const name = normalizeTokenName(given);
    // The name is checked before the code is used up, so that the same code can be sent again with another name.
    if (name === undefined) throw new ApiError('INVALID_REQUEST', { message: 'Назовите токен иначе.' });
    const token = newToken();
    const attempt = { ...params, ...confirmation, purpose: 'program-token' } as const;
    const made = await flow.verify(request, attempt, async (tx, { userId }, { email }, at) => {
      // Without the lock, two tokens made at once would not count each other.
      await lockAccount(tx, userId);
      if (await hasAllTokens(tx.db, userId, at)) return tooMany;
      const id = await addToken(tx, { userId, hash: tokenHash(token)!, name, scope, now: at });
      const notice: Notice = { kind: 'program-token', name, scope, at };
      await queueNotice(tx, { recipient: email, sealed: secrets.seal(JSON.stringify(notice)), now: at });
      return { id: String(id), name, scope, createdAt: at, token };
    });
    security.note('token-made', request, { user: callerOf(request).userId });
    return made;
  });

  serve(app, 'DELETE /users/current/tokens/{id}', async ({ params, request }) => {
    const { userId } = callerOf(request);
    const id = idOf(params);
    if (!(await db.tx((tx) => endTokenOf(tx, userId, id)))) throw new ApiError('NOT_FOUND');
    security.note('token-ended', request, { user: userId });
  });
}
