import type { FastifyInstance } from 'fastify';
import { addresses, type UnsubscribeOutcome } from '#contract/addresses.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Secrets } from '../../secrets.ts';
import { addressOf, stopDigest } from './digest-store.ts';
import { judgeUnsubscribeToken, readUnsubscribeToken } from './unsubscribing.ts';

interface UnsubscribeOptions {
  db: Database;
  secrets: Secrets;
  /** Unix seconds. */
  now: () => number;
}

/** The body that mail programs send (RFC 8058), as a form of either type. The form of our own page has no fields. */
const oneClick = /List-Unsubscribe[^]{1,50}One-Click/;

/**
 * Ends a person's letters with notifications. Mail programs send the request from anywhere, without a cookie; the signed token
 * is all that it needs, so there is no guard. Opening the page changes nothing, because mail scanners open links too.
 */
export function unsubscribeRoutes(app: FastifyInstance, { db, secrets, now }: UnsubscribeOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(addresses.unsubscribe.path, async ({ query, body }, reply) => {
      const outcome = await unsubscribe(String((query as { token?: string | string[] }).token));
      if (!oneClick.test(String(body))) {
        return reply.redirect(addresses.unsubscribeOutcome.href({ outcome }), 303);
      }
      // A mail program follows no redirect.
      if (outcome !== 'done') throw new ApiError('NOT_FOUND');
      return reply.type('text/plain; charset=utf-8').send('Письма больше не придут.\n');
    });
  });

  async function unsubscribe(token: string): Promise<UnsubscribeOutcome> {
    const read = readUnsubscribeToken(token);
    const email = read && (await addressOf(db.read, read.userId));
    if (email === undefined) return 'unknown';
    const outcome = judgeUnsubscribeToken(secrets, read!, email, now());
    if (outcome !== 'done') return outcome;
    return (await db.tx((tx) => stopDigest(tx, { id: read!.userId, email }))) ? 'done' : 'unknown';
  }
}
