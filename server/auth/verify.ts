import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallOf } from '#contract/endpoint.ts';
import type * as schema from '#contract/auth.schema.ts';
import { isReservedEmail } from '../account/email-undo.ts';
import { lockEmail } from '../account/store.ts';
import type { Tx } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { clientNetworks } from '../http/client-network.ts';
import { tooMany } from '../limits/spend-or-refuse.ts';
import { queueNotice } from '../mail/outbox.ts';
import { findBlockReason } from '../order/blocks.ts';
import { cookieHash, issueToken, newCookie } from '../sessions/rules.ts';
import { openSession } from '../sessions/store.ts';
import type { AuthOptions } from './auth-options.ts';
import { join } from './join.ts';
import { makeJudgeCode, type Verdict } from './judge-code.ts';
import { accountBlocked, addressReserved, registrationClosed } from './refusals.ts';
import type { SignInPurpose } from './rules.ts';
import { rememberDevice } from './store.ts';

type Body = CallOf<typeof schema.verifyLogin>['body'];
type Reply = CallOf<typeof schema.verifyLogin>['reply'];

/** A refusal is no failure of the transaction: a try that was used stays used. */
type Outcome =
  | { sessionId: number; userId: number; email: string }
  | Exclude<Verdict, { owner: unknown }>
  | { refusal: ApiError };

/** Ends a sign-in or a registration: the right code, once, opens a session. */
export function makeVerify(options: AuthOptions) {
  const { db, config, secrets, cookies, outbox, security, now } = options;
  const judge = makeJudgeCode(options);

  return async (
    purpose: SignInPurpose,
    id: string,
    { confirmCode, clientToken }: Body,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<Reply> => {
    const device = cookies.read(request, 'device') ?? newCookie();
    const session = newCookie();
    const networks = clientNetworks(request.ip);
    const outcome = await db.tx((tx) =>
      decide(tx, { purpose, id, confirmCode, clientToken, networks, device, session }),
    );
    if ('wait' in outcome) throw tooMany(outcome);
    if ('refused' in outcome) throw new ApiError(outcome.refused, { wrongCodeFor: outcome.wrongCodeFor });
    if ('refusal' in outcome) throw outcome.refusal;
    outbox.wake();
    const { sessionId, userId, email } = outcome;
    security.note('sign-in', request, { user: userId, email });
    cookies.set(reply, 'session', session);
    cookies.set(reply, 'device', device);
    return { accessToken: issueToken(secrets, sessionId, now() + config.accessTokenSeconds) };
  };

  async function decide(
    tx: Tx,
    attempt: Body & { purpose: SignInPurpose; id: string; networks: string[]; device: string; session: string },
  ): Promise<Outcome> {
    const { purpose, id, confirmCode, clientToken, networks, device, session } = attempt;
    const mark = cookieHash(device);
    const verdict = await judge(tx, { purpose, id, confirmCode, clientToken, userId: null, networks, mark });
    if (!('email' in verdict)) return verdict;

    const { owner, isKnown, email } = verdict;
    // The account has been deleted, or has another address by now: to sign in to it must not make a new one.
    if (purpose === 'login' && owner === undefined) return { refused: 'OPERATION_EXPIRED' };
    const at = now();
    if (owner === undefined && (await isReservedEmail(tx.db, email, at))) return { refusal: addressReserved() };
    const userId = owner ?? (await join(tx, { email, invite: verdict.invite, now: at }));
    if (userId === undefined) return { refusal: registrationClosed(verdict.invite) };
    // It may have been deleted, or got another address, a moment ago.
    if ((await lockEmail(tx, userId)) !== email) return { refused: 'OPERATION_EXPIRED' };
    const reason = await findBlockReason(tx.db, userId);
    if (reason !== undefined) return { refusal: accountBlocked(reason) };
    if (owner !== undefined && !isKnown) {
      const content = { kind: 'new-device', device: JSON.parse(verdict.device), at } as const;
      await queueNotice(tx, { recipient: email, sealed: secrets.seal(JSON.stringify(content)), now: at });
    }
    await rememberDevice(tx, userId, mark, at);
    const sessionId = await openSession(tx, {
      userId,
      cookieHash: cookieHash(session),
      clientToken,
      device: verdict.device,
      isNewDevice: owner !== undefined && !isKnown,
      now: at,
    });
    return { sessionId, userId, email };
  }
}
