import type { FastifyRequest } from 'fastify';
import { normalizeEmail } from '#contract/email.ts';
import type { Device } from '#contract/sessions.ts';
import type { Config, EmailDomains } from '../../config.ts';
import type { Tx } from '../../db/database.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { clientNetworks } from '../../http/connections.ts';
import { type Exhausted, spend } from '../../limits/budgets.ts';
import { commitOrRefuse } from '../../limits/limits-http.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { queueMail } from '../../mail/outbox.ts';
import type { Secrets } from '../../secrets.ts';
import type { SessionOptions } from '../sessions/session-http.ts';
import { cookieHash } from '../sessions/session-rules.ts';
import { signInBudgets } from './sign-in-budgets.ts';
import { type Attempt, makeJudgeCode, type RightCode } from './judge-code.ts';
import { isDomainAllowed, newCode, newOperationId, type Purpose } from './sign-in-rules.ts';
import { isKnownDevice, startOperation } from './sign-in-store.ts';

interface CodeOrder {
  purpose: Purpose;
  email: string;
  /** Creates the operation without a mail, so nobody knows the code. */
  toNobody?: boolean;
  /** Owners of a wall without a mail server may read the code. */
  isForOwners?: boolean;
  /** The account to change; null at sign-in. */
  userId: number | null;
  clientToken: string;
  device: Device;
  /** The hash of the cookie of the requesting device, if the account knows the device. */
  knownDevice: string | undefined;
  /** The hash of the invitation that came with a registration. */
  invite?: string | null;
  /** The hash of the consent that came with a registration. */
  consent?: string | null;
}

interface CodeOptions {
  config: Config;
  secrets: Secrets;
  now: () => number;
}

/** Creates an operation and queues the mail with its code, which is sent once the transaction has committed. */
function makeSendCode({ config, secrets, now }: CodeOptions) {
  const budgets = signInBudgets(config);

  return async (tx: Tx, order: CodeOrder): Promise<{ id: string } | Exhausted> => {
    const { purpose, email, toNobody = false, userId, clientToken, device, knownDevice } = order;
    const { invite = null, consent = null, isForOwners = false } = order;
    const at = now();
    const exhausted = await spend(
      tx,
      // A known device has budgets of its own, so that strangers cannot exhaust the owner's budgets.
      [budgets.mails(purpose, { email, knownDevice }), ...(knownDevice ? [] : [budgets.mailbox(email)])],
      at,
    );
    if (exhausted) return exhausted;
    const id = newOperationId();
    const code = newCode();
    const expiresAt = at + config.codeTtlSeconds;
    await startOperation(tx, {
      id,
      purpose,
      email,
      userId,
      clientToken,
      device: JSON.stringify(device),
      codeHash: secrets.codeMac([id, purpose, email, code]),
      invite,
      consent,
      now: at,
      expiresAt,
    });
    const ttlSeconds = config.codeTtlSeconds;
    const content = { kind: 'code', purpose, code, device, ttlSeconds, ...(isForOwners && { isForOwners }) } as const;
    await queueMail(tx, {
      operationId: id,
      recipient: email,
      sealed: secrets.seal(JSON.stringify(content)),
      toNobody,
      now: at,
      giveUpAt: expiresAt,
    });
    return { id };
  };
}

interface FlowOrder extends Omit<CodeOrder, 'knownDevice'> {
  /** The account whose known devices have budgets of their own for this code. */
  owner: number | undefined;
}

/**
 * The flow of everything that a mailed code confirms (sign-in, registration, change of address, deletion, moderation, API token):
 * `start` mails a code, `verify` judges it and carries out what it confirms.
 */
export function makeCodeFlow(options: SessionOptions) {
  const { db, cookies, outbox, now } = options;
  const sendCode = makeSendCode(options);
  const judge = makeJudgeCode(options);

  return {
    /** Mails a code. `order` resolves to the code's purpose and address, or refuses. */
    start(
      request: FastifyRequest,
      order: (tx: Tx, at: number) => Promise<FlowOrder | Refusal>,
    ): Promise<{ id: string }> {
      const deviceHash = deviceHashOf(request);
      return run(async (tx): Promise<{ id: string } | Refusal> => {
        const ordered = await order(tx, now());
        if ('refused' in ordered) return ordered;
        const { owner, ...code } = ordered;
        // The query runs without an account too: the response time must not reveal whether an account exists.
        const isKnown = deviceHash && (await isKnownDevice(tx.db, owner ?? 0, deviceHash));
        return sendCode(tx, { ...code, knownDevice: isKnown ? deviceHash : undefined });
      });
    },

    /** `act` runs after the right code, in the same transaction, and may still refuse. */
    verify<Done extends object>(
      request: FastifyRequest,
      attempt: Omit<Attempt, 'networks' | 'deviceHash'>,
      act: (tx: Tx, code: RightCode, at: number) => Promise<Done | Refusal>,
      taken?: 'EMAIL_ALREADY_EXISTS',
    ): Promise<Done> {
      const networks = clientNetworks(request.ip);
      const deviceHash = deviceHashOf(request);
      return run(async (tx): Promise<Done | Refusal> => {
        const verdict = await judge(tx, { ...attempt, networks, deviceHash });
        return 'refused' in verdict ? verdict : act(tx, verdict, now());
      }, taken);
    },
  };

  async function run<Done extends object>(
    work: (tx: Tx) => Promise<Done | Refusal>,
    taken?: 'EMAIL_ALREADY_EXISTS',
  ): Promise<Done> {
    const done = await commitOrRefuse(db, work, taken);
    outbox.wake();
    return done;
  }

  function deviceHashOf(request: FastifyRequest): string | undefined {
    const device = cookies.read(request, 'device');
    return device === undefined ? undefined : cookieHash(device);
  }
}

export function acceptEmail(raw: string): string {
  const email = normalizeEmail(raw);
  if (email === undefined) throw new ApiError('INVALID_REQUEST', { message: 'Введите корректный email' });
  return email;
}

/** Called for the addresses of new accounts and for new addresses. Existing addresses are not checked. */
export function refuseForeignDomain(email: string, emailDomains: EmailDomains | undefined): void {
  if (!emailDomains || isDomainAllowed(email, emailDomains)) return;
  const message = 'Адреса этого почтового сервиса здесь не принимают. Укажите адрес другого.';
  throw new ApiError('INVALID_REQUEST', { message });
}
