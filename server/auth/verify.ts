import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallOf } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type * as schema from '#contract/auth.schema.ts';
import { findOrCreateUser, findUserIdByEmail } from '../account/store.ts';
import type { Tx } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { openBudgets } from '../limits/budgets.ts';
import { cookieHash, issueToken, newCookie } from '../sessions/rules.ts';
import { openSession } from '../sessions/store.ts';
import { authBudgets } from './auth-budgets.ts';
import type { AuthOptions } from './auth-options.ts';
import { type Purpose, triesPerOperation } from './rules.ts';
import { endOperation, findOperation, isKnownDevice, rememberDevice, takeTry } from './store.ts';

type Body = CallOf<typeof schema.verifyLogin>['body'];
type Reply = CallOf<typeof schema.verifyLogin>['reply'];

/** A refusal is no failure of the transaction: a try that was used stays used. */
type Outcome = { sessionId: number } | { wait: number } | { refused: ErrorCode };

/** Ends a sign-in or a registration: the right code, once, opens a session. */
export function makeVerify({ db, config, secrets, cookies, now }: AuthOptions) {
  const budgets = authBudgets(config);

  return async (
    purpose: Purpose,
    id: string,
    { confirmCode, clientToken }: Body,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<Reply> => {
    const device = cookies.read(request, 'device') ?? newCookie();
    const session = newCookie();
    const outcome = await db.tx((tx) => decide(tx, { purpose, id, confirmCode, clientToken, device, session }));
    if ('wait' in outcome) throw new ApiError('TOO_MANY_REQUESTS', { retryAfter: outcome.wait });
    if ('refused' in outcome) throw new ApiError(outcome.refused);
    cookies.set(reply, 'session', session);
    cookies.set(reply, 'device', device);
    return { accessToken: issueToken(secrets, outcome.sessionId, now() + config.accessTokenSeconds) };
  };

  async function decide(
    tx: Tx,
    attempt: Body & { purpose: Purpose; id: string; device: string; session: string },
  ): Promise<Outcome> {
    const { purpose, id, confirmCode, clientToken, device, session } = attempt;
    const at = now();
    const operation = await findOperation(tx.db, id);
    if (!operation || operation.purpose !== purpose || operation.expires_at <= at)
      return { refused: 'OPERATION_EXPIRED' };
    if (operation.client_token !== clientToken) return { refused: 'INVALID_REQUEST' };

    const { email } = operation;
    const mark = cookieHash(device);
    const owner = await findUserIdByEmail(tx.db, email);
    const known = owner !== undefined && (await isKnownDevice(tx.db, owner, mark)) ? mark : undefined;
    const wrongCodes = await openBudgets(tx, [budgets.wrongCodes({ email, knownDevice: known })], at);
    if (wrongCodes.wait > 0) return { wait: wrongCodes.wait };

    const tries = await takeTry(tx, id);
    if (tries === undefined) {
      return { refused: (await findOperation(tx.db, id)) ? 'MAX_CONFIRM_ATTEMPTS' : 'OPERATION_EXPIRED' };
    }
    const expected = Buffer.from(operation.code_hash);
    if (!timingSafeEqual(Buffer.from(secrets.markCode([id, purpose, email, confirmCode])), expected)) {
      await wrongCodes.spend();
      return { refused: tries >= triesPerOperation ? 'MAX_CONFIRM_ATTEMPTS' : 'INVALID_CONFIRM_CODE' };
    }

    await endOperation(tx, id);
    const userId = await findOrCreateUser(tx, email, at);
    await rememberDevice(tx, userId, mark, at);
    const sessionId = await openSession(tx, {
      userId,
      cookieHash: cookieHash(session),
      clientToken,
      device: operation.device,
      now: at,
    });
    return { sessionId };
  }
}
