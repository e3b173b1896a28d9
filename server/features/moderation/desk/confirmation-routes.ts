import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/moderation.schema.ts';
import * as moderation from '#contract/moderation.ts';
import { serve } from '../../../http/serve.ts';
import { makeOwnCodeFlow, ownAddress } from '../../account/http.ts';
import { type SessionOptions, callerOf, sessionCallerOf } from '../../sessions/http.ts';
import { confirmedUntil, confirmModerator } from '../roles.ts';

/** A code that confirms a moderator in one session for a while. */
export function confirmationRoutes(app: FastifyInstance, options: SessionOptions): void {
  const { db, security, now } = options;
  const flow = makeOwnCodeFlow(options);

  serve(app, moderation.startModeration, schema.startModeration, ({ body, request }) =>
    flow.start(request, { ...body, purpose: 'moderation' }, ownAddress),
  );

  serve(app, moderation.verifyModeration, schema.verifyModeration, async ({ params, body, request }) => {
    const attempt = { ...params, ...body, purpose: 'moderation' } as const;
    const confirmed = await flow.verify(request, attempt, async (tx, { sessionId }, _code, at) => ({
      confirmed_until: await confirmModerator(tx, sessionId, at),
    }));
    security.note('moderator-confirmed', request, { user: callerOf(request).userId });
    return confirmed;
  });

  serve(app, moderation.getModeration, schema.getModeration, async ({ request }) => ({
    confirmed_until: await confirmedUntil(db.read, sessionCallerOf(request).sessionId, now()),
  }));
}
