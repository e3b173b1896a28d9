import type { FastifyInstance } from 'fastify';
import { serve } from '../../../http/serve.ts';
import { ApiError } from '../../../http/thrown-api-error.ts';
import type { WritingOptions } from '../../../limits/writing-budgets.ts';
import { sessionCallerOf, spendingIn } from '../../sessions/session-http.ts';
import type { PushHosts } from './push-hosts.ts';
import { areBrowserKeys, type WallKey } from './push-message.ts';
import { findSubscription, putSubscription, removeSubscription } from './push-store.ts';

interface PushOptions extends WritingOptions {
  key: WallKey;
  hosts: PushHosts;
}

export function pushRoutes(app: FastifyInstance, { db, config, key, hosts, now }: PushOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, 'GET /push/key', async () => ({ key: key.publicKey }));

  serve(app, 'GET /users/current/push', async ({ request }) => {
    const found = await findSubscription(db.read, sessionCallerOf(request).sessionId);
    return { endpoint: found?.endpoint ?? null, hides_text: found?.hides_text === 1 };
  });

  serve(app, 'PUT /users/current/push', async ({ body, request }) => {
    const { sessionId } = sessionCallerOf(request);
    const { endpoint, keys, hides_text: hidesText = false } = body;
    if (!areBrowserKeys(keys)) throw new ApiError('INVALID_REQUEST');
    const url = URL.parse(endpoint);
    if (!url || !(await hosts.isAllowed(url))) {
      throw new ApiError('INVALID_REQUEST', { message: 'По этому адресу стена ничего не отправляет.' });
    }
    await spending(request, (tx, { userId }) =>
      putSubscription(tx, {
        session_id: sessionId,
        user_id: userId,
        endpoint: url.href,
        ...keys,
        hides_text: hidesText ? 1 : 0,
      }),
    );
  });

  serve(app, 'DELETE /users/current/push', async ({ request }) => {
    const { sessionId } = sessionCallerOf(request);
    await spending(request, (tx) => removeSubscription(tx, sessionId));
  });
}
