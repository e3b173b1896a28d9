import type { FastifyInstance } from 'fastify';
import { type UndoOutcome, undoPath } from '#contract/page.ts';
import type { AuthOptions } from '../auth/auth-options.ts';
import { AlreadyTaken } from '../db/database.ts';
import { queueNotice } from '../mail/outbox.ts';
import { undoChange } from './email-undo.ts';

/**
 * Takes the form of the page that a mailed link opens. Opening the page changes nothing, as mail scanners open links too;
 * its form works without a script and without being signed in.
 */
export function undoRoutes(app: FastifyInstance, { db, secrets, outbox, now }: AuthOptions): void {
  void app.register(async (scope) => {
    // The form has no fields: the token stands in the address.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
      done(null, undefined),
    );
    scope.post(undoPath, { config: { access: 'public' } }, async (request, reply) => {
      const { token } = request.query as { token?: string | string[] };
      return reply.redirect(`${undoPath}/${await undo(String(token))}`, 303);
    });
  });

  async function undo(token: string): Promise<UndoOutcome> {
    const at = now();
    const undoing = db.tx(async (tx) => {
      const undone = await undoChange(tx, token, at);
      if (typeof undone === 'string') return undone;
      const { restored, abandoned } = undone;
      if (abandoned !== restored) {
        const notice = secrets.seal(JSON.stringify({ kind: 'email-restored', email: restored, at }));
        await queueNotice(tx, { recipient: abandoned, sealed: notice, now: at });
      }
      return 'done';
    });
    const outcome = await undoing.catch((error: unknown) => {
      // The address was free for others the moment the link expired.
      if (error instanceof AlreadyTaken) return 'expired' as const;
      throw error;
    });
    outbox.wake();
    return outcome;
  }
}
