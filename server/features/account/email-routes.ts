import type { FastifyInstance } from 'fastify';
import { addresses, type UndoOutcome } from '#contract/addresses.ts';
import { AlreadyTaken, type Tx } from '../../db/database.ts';
import { clientNetworks } from '../../http/connections.ts';
import { serve } from '../../http/serve.ts';
import { openBudgets, spend } from '../../limits/budgets.ts';
import type { Refusal } from '../../limits/refusal.ts';
import type { Notice } from '../../mail/notices.ts';
import { queueNotice } from '../../mail/outbox.ts';
import { type SessionOptions, callerOf } from '../sessions/session-http.ts';
import { lockAccount } from '../sessions/session-store.ts';
import { signInBudgets } from '../sign-in/sign-in-budgets.ts';
import { acceptEmail, refuseForeignDomain } from '../sign-in/sign-in-http.ts';
import { endOperationsOf } from '../sign-in/sign-in-store.ts';
import { addEmailChange, isEmailTaken, refusalOfChange, undoEmailChange } from './email-changes.ts';
import { makeOwnCodeFlow } from './own-codes-http.ts';
import { changeEmail } from './account-store.ts';

/** Changes of address, and their undo by a mailed link. */
export function emailRoutes(app: FastifyInstance, options: SessionOptions): void {
  const { db, config, secrets, outbox, security, now } = options;
  const budgets = signInBudgets(config);
  const flow = makeOwnCodeFlow(options);

  serve(app, 'GET /users/current/email', async ({ request }) => ({
    refused: (await refusalOfChange(db.read, callerOf(request).userId, now()))?.message ?? null,
  }));

  serve(app, 'PUT /users/current/email', async ({ body, request }) => {
    const email = acceptEmail(body.email);
    refuseForeignDomain(email, config.emailDomains);
    const networks = clientNetworks(request.ip);
    const { clientToken } = body;
    const { id } = await flow.start(request, { purpose: 'email-change', clientToken }, async (tx, { userId }, at) => {
      const exhausted = await spend(tx, budgets.starts(networks), at);
      if (exhausted) return exhausted;
      const refusal = await refusalOfChange(tx.db, userId, at);
      if (refusal) return refusal;
      // An exhausted budget refuses free addresses too: otherwise the status would still reveal which address is taken.
      const revelations = [budgets.revelations(networks[0]!), budgets.revelationsTo(userId)];
      const opened = await openBudgets(tx, revelations, at);
      if (opened.exhausted) return opened.exhausted;
      if (!(await isEmailTaken(tx.db, { email, userId, now: at }))) return { email };
      opened.spend();
      return { refused: 'EMAIL_ALREADY_EXISTS' };
    });
    return { id };
  });

  serve(app, 'PUT /users/current/email/{id}/verify', async ({ params, body, request }) => {
    const attempt = { ...params, ...body, purpose: 'email-change' } as const;
    const changed = await flow.verify(
      request,
      attempt,
      (tx, { userId }, { email }, at) => replaceEmail(tx, { userId, email, at }),
      'EMAIL_ALREADY_EXISTS',
    );
    security.note('email-changed', request, { user: callerOf(request).userId, email: changed.email });
    return changed;
  });

  async function replaceEmail(
    tx: Tx,
    { userId, email, at }: { userId: number; email: string; at: number },
  ): Promise<{ email: string } | Refusal> {
    const before = await lockAccount(tx, userId);
    // Another change may have been made or undone since the code was requested.
    const refusal = await refusalOfChange(tx.db, userId, at);
    if (refusal) return refusal;
    if (await isEmailTaken(tx.db, { email, userId, now: at })) return { refused: 'EMAIL_ALREADY_EXISTS' };
    await changeEmail(tx, userId, email);
    // A code sent for the old address must not confirm anything for the new one.
    await endOperationsOf(tx, userId);
    const token = await addEmailChange(tx, { userId, email: before, now: at });
    const notice: Notice = { kind: 'email-changed', email, undo: token, at };
    await queueNotice(tx, { recipient: before, sealed: secrets.seal(JSON.stringify(notice)), now: at });
    return { email };
  }

  // Handles the form on the page that a mailed link opens. Opening the page changes nothing, because mail scanners open
  // links too. The form works without a script and without a session.
  void app.register(async (scope) => {
    // The form has no fields: the token is in the address.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
      done(null, undefined),
    );
    scope.post(addresses.undoEmail.path, { config: { access: 'public' } }, async (request, reply) => {
      const { token } = request.query as { token?: string | string[] };
      return reply.redirect(addresses.undoEmailOutcome.href({ outcome: await undo(String(token)) }), 303);
    });
  });

  async function undo(token: string): Promise<UndoOutcome> {
    const at = now();
    const undoing = db.tx(async (tx) => {
      const undone = await undoEmailChange(tx, token, at);
      if (typeof undone === 'string') return undone;
      const { restored, abandoned } = undone;
      if (abandoned !== restored) {
        const notice = secrets.seal(JSON.stringify({ kind: 'email-restored', email: restored, at }));
        await queueNotice(tx, { recipient: abandoned, sealed: notice, now: at });
      }
      return 'done';
    });
    const outcome = await undoing.catch((error: unknown) => {
      // When the link expired, the address became free, and another account has taken it.
      if (error instanceof AlreadyTaken) return 'expired' as const;
      throw error;
    });
    outbox.wake();
    return outcome;
  }
}
