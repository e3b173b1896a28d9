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
import { closeAllSessionsOf, confirmSession, findDevice, isUnconfirmed } from '../sessions/store.ts';
import { addUndo, closeUndos, isReservedEmail, originalEmail, secondsFrozen, secondsUndoable } from './email-undo.ts';
import { changeEmail, findCurrentUser, findUserIdByEmail, hideUser, lockEmail } from './store.ts';

interface Confirmation {
  id: string;
  confirmCode: string;
  clientToken: string;
}

/** A refusal is no failure of the transaction: what it cost stays spent. */
type Refusal = Exclude<Verdict, { email: string }> | { refusal: ApiError };

const refusal = (refused: ErrorCode): Refusal => ({ refused });

const inHours = (seconds: number): string => `через ${Math.ceil(seconds / 3_600)} ч.`;

/** After an undo the address stays as it is for a while. */
const frozen = (seconds: number): ApiError =>
  new ApiError('FORBIDDEN', {
    message: `Смену адреса недавно отменили. Изменить его снова можно будет ${inHours(seconds)}`,
  });

/** While a change of the address can be undone, the account must stay. */
const undoable = (seconds: number): ApiError =>
  new ApiError('FORBIDDEN', {
    message: `Адрес учётной записи недавно меняли, и смену ещё можно отменить. Удалить учётную запись можно будет ${inHours(seconds)}`,
  });

type OwnPurpose = 'email-change' | 'deletion' | 'device';

/** What a mailed code confirms: a new address of an account, its end, and a new device. */
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
          if (await isUnconfirmed(tx.db, caller.sessionId, at)) return refusal('DEVICE_NOT_CONFIRMED');
          const wait = await secondsFrozen(tx.db, caller.userId, at);
          if (wait > 0) return { refusal: frozen(wait) };
          if (await isTaken(tx, email, caller.userId)) {
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
        const { userId } = attempt;
        const at = now();
        const before = await lockEmail(tx, userId);
        // The undo link may have been used a moment ago.
        const wait = await secondsFrozen(tx.db, userId, at);
        if (wait > 0) return { refusal: frozen(wait) };
        if (await isTaken(tx, email, userId)) return refusal('EMAIL_ALREADY_EXISTS');
        const original = (await originalEmail(tx.db, userId, at)) ?? before;
        await changeEmail(tx, userId, email);
        // What was begun with the old address must not be ended with the new one.
        await endOperationsOf(tx, userId);
        if (original === email) await closeUndos(tx, userId, at);
        const undo = original === email ? undefined : await addUndo(tx, { userId, email: original, now: at });
        await tell(tx, before, { kind: 'email-changed', email, undo, at });
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

    async startDeviceConfirmation(clientToken: string, request: FastifyRequest): Promise<{ id: string }> {
      return decided(await db.tx((tx) => sendToOwner(tx, 'device', clientToken, request)));
    },

    async verifyDeviceConfirmation(confirmation: Confirmation, request: FastifyRequest): Promise<void> {
      decided(
        await db.tx(async (tx) => {
          const verdict = await judge(tx, attemptOf('device', confirmation, request));
          if (!('email' in verdict)) return verdict;
          await confirmSession(tx, callerOf(request).sessionId);
          return {};
        }),
      );
    },

    async startDeletion(clientToken: string, request: FastifyRequest): Promise<{ id: string }> {
      const { userId } = callerOf(request);
      return decided(
        await db.tx(async (tx) => {
          // Whoever has taken the account over by a new address gets the code there.
          const wait = await secondsUndoable(tx.db, userId, now());
          return wait > 0 ? { refusal: undoable(wait) } : sendToOwner(tx, 'deletion', clientToken, request);
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

  /** Taken, or kept free for another account that may still get it back. */
  async function isTaken(tx: Tx, email: string, userId: number): Promise<boolean> {
    if ((await findUserIdByEmail(tx.db, email)) !== undefined) return true;
    return (await isReservedEmail(tx.db, email, now())) && (await originalEmail(tx.db, userId, now())) !== email;
  }

  async function sendToOwner(tx: Tx, purpose: 'deletion' | 'device', clientToken: string, request: FastifyRequest) {
    const caller = callerOf(request);
    const user = await findCurrentUser(tx.db, caller.userId);
    if (!user) throw new ApiError('UNAUTHORIZED');
    return sendCode(tx, await orderOf(tx, { purpose, email: user.email, clientToken, caller, request }));
  }

  async function orderOf(
    tx: Tx,
    asked: {
      purpose: OwnPurpose;
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

  function attemptOf(purpose: OwnPurpose, confirmation: Confirmation, request: FastifyRequest) {
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
    if ('refusal' in outcome) throw outcome.refusal;
    outbox.wake();
    return outcome;
  }
}
