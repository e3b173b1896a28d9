import type { FastifyRequest } from 'fastify';
import type { Device } from '#contract/sessions.ts';
import { normalizeEmail } from '#contract/email.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { authBudgets } from '../auth/auth-budgets.ts';
import type { AuthOptions } from '../auth/auth-options.ts';
import { type Attempt, makeJudgeCode, type Verdict } from '../auth/judge-code.ts';
import { makeSendCode } from '../auth/send-code.ts';
import { endOperationsOf, isKnownDevice } from '../auth/store.ts';
import { AlreadyTaken, type Tx } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { clientNetworks } from '../http/client-network.ts';
import { spend } from '../limits/budgets.ts';
import { tooMany } from '../limits/spend-or-refuse.ts';
import type { Notice } from '../mail/notices.ts';
import { queueNotice } from '../mail/outbox.ts';
import { type Caller, callerOf } from '../sessions/guard.ts';
import { cookieHash } from '../sessions/rules.ts';
import { closeAllSessionsOf, findDevice } from '../sessions/store.ts';
import { changeEmail, findCurrentUser, findUserIdByEmail, hideUser } from './store.ts';

interface Confirmation {
  id: string;
  confirmCode: string;
  clientToken: string;
}

/** A refusal is no failure of the transaction: what it cost stays spent. */
type Refusal = Exclude<Verdict, { email: string }>;

const refusal = (refused: ErrorCode): Refusal => ({ refused });

/** Changes of an account that a mailed code confirms: its address, and its end. */
export function makeConfirmedChanges(options: AuthOptions) {
  const { db, config, secrets, cookies, outbox, security, now } = options;
  const budgets = authBudgets(config);
  const sendCode = makeSendCode(options);
  const judge = makeJudgeCode(options);

  return {
    async startEmailChange(rawEmail: string, clientToken: string, request: FastifyRequest): Promise<{ id: string }> {
      const email = normalizeEmail(rawEmail);
      if (email === undefined) throw new ApiError('INVALID_REQUEST', { message: 'Введите корректный email' });
      const caller = callerOf(request);
      const networks = clientNetworks(request.ip);
      return decided(
        await db.tx(async (tx) => {
          const at = now();
          const exhausted = await spend(tx, budgets.starts(networks), at);
          if (exhausted) return exhausted;
          if ((await findUserIdByEmail(tx.db, email)) !== undefined) {
            const revelations = [budgets.revelations(networks[0]!), budgets.revelationsTo(caller.userId)];
            return (await spend(tx, revelations, at)) ?? refusal('EMAIL_ALREADY_EXISTS');
          }
          return sendCode(tx, await orderOf(tx, { purpose: 'email-change', email, clientToken, caller, request }));
        }),
      );
    },

    async verifyEmailChange(confirmation: Confirmation, request: FastifyRequest): Promise<{ email: string }> {
      const attempt = attemptOf('email-change', confirmation, request);
      const changing = db.tx(async (tx) => {
        const verdict = await judge(tx, attempt);
        if (!('email' in verdict)) return verdict;
        const { email } = verdict;
        if ((await findUserIdByEmail(tx.db, email)) !== undefined) return refusal('EMAIL_ALREADY_EXISTS');
        const before = await changeEmail(tx, attempt.userId, email);
        // What was begun with the old address must not be ended with the new one.
        await endOperationsOf(tx, attempt.userId);
        await tell(tx, before, { kind: 'email-changed', email, at: now() });
        return { email };
      });
      const changed = decided(
        await changing.catch((error: unknown) => {
          // Somebody was quicker by a moment.
          if (error instanceof AlreadyTaken) return refusal('EMAIL_ALREADY_EXISTS');
          throw error;
        }),
      );
      security.note('email-changed', request, { user: attempt.userId, email: changed.email });
      return changed;
    },

    async startDeletion(clientToken: string, request: FastifyRequest): Promise<{ id: string }> {
      const caller = callerOf(request);
      return decided(
        await db.tx(async (tx) => {
          const user = await findCurrentUser(tx.db, caller.userId);
          if (!user) throw new ApiError('UNAUTHORIZED');
          const { email } = user;
          return sendCode(tx, await orderOf(tx, { purpose: 'deletion', email, clientToken, caller, request }));
        }),
      );
    },

    async verifyDeletion(confirmation: Confirmation, request: FastifyRequest): Promise<void> {
      const attempt = attemptOf('deletion', confirmation, request);
      decided(
        await db.tx(async (tx) => {
          const verdict = await judge(tx, attempt);
          if (!('email' in verdict)) return verdict;
          await hideUser(tx, attempt.userId, now());
          await closeAllSessionsOf(tx, attempt.userId);
          await endOperationsOf(tx, attempt.userId);
          await tell(tx, verdict.email, { kind: 'deleted', at: now() });
          return {};
        }),
      );
      security.note('account-deleted', request, { user: attempt.userId });
    },
  };

  async function orderOf(
    tx: Tx,
    asked: {
      purpose: 'email-change' | 'deletion';
      email: string;
      clientToken: string;
      caller: Caller;
      request: FastifyRequest;
    },
  ) {
    const { purpose, email, clientToken, caller, request } = asked;
    const { userId, sessionId } = caller;
    const mark = markOf(request);
    // A new address is nobody's yet: no device is known to it, however well it is known to whoever asks for it.
    const isOwn = purpose !== 'email-change';
    const knownDevice = isOwn && mark && (await isKnownDevice(tx.db, userId, mark)) ? mark : undefined;
    const device = await findDevice(tx.db, sessionId);
    // Closed a moment ago.
    if (device === undefined) throw new ApiError('UNAUTHORIZED');
    return { purpose, email, userId, clientToken, device: JSON.parse(device) as Device, knownDevice };
  }

  function attemptOf(purpose: 'email-change' | 'deletion', confirmation: Confirmation, request: FastifyRequest) {
    const { userId } = callerOf(request);
    const networks = clientNetworks(request.ip);
    return { ...confirmation, purpose, userId, networks, mark: markOf(request) } satisfies Attempt;
  }

  function markOf(request: FastifyRequest): string | undefined {
    const device = cookies.read(request, 'device');
    return device === undefined ? undefined : cookieHash(device);
  }

  function tell(tx: Tx, recipient: string, notice: Notice): Promise<void> {
    return queueNotice(tx, { recipient, sealed: secrets.seal(JSON.stringify(notice)), now: now() });
  }

  function decided<Done extends object>(outcome: Done | Refusal): Done {
    if ('wait' in outcome) throw tooMany(outcome);
    if ('refused' in outcome) throw new ApiError(outcome.refused, 'wrongCodeFor' in outcome ? outcome : {});
    outbox.wake();
    return outcome;
  }
}
