import type { FastifyRequest } from 'fastify';
import { normalizeEmail } from '#contract/email.ts';
import type { EmailDomains } from '../../config.ts';
import type { Tx } from '../../db/database.ts';
import { ApiError } from '../../http/api-error.ts';
import { clientNetworks } from '../../http/client-network.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { commitOrRefuse } from '../../limits/http.ts';
import type { SessionOptions } from '../sessions/http.ts';
import { cookieHash } from '../sessions/rules.ts';
import { type Attempt, makeJudgeCode, type RightCode } from './judge-code.ts';
import { type CodeOrder, makeSendCode } from './send-code.ts';
import { isDomainAllowed } from './rules.ts';
import { isKnownDevice } from './store.ts';

interface FlowOrder extends Omit<CodeOrder, 'knownDevice'> {
  /** The account whose known devices have budgets of their own for this code. */
  owner: number | undefined;
}

/**
 * The flow of everything that a mailed code confirms (sign-in, registration, change of address, new device, deletion):
 * `start` mails a code, `verify` judges it and carries out what it confirms.
 */
export function makeCodeFlow(options: SessionOptions) {
  const { db, cookies, outbox, now } = options;
  const sendCode = makeSendCode(options);
  const judge = makeJudgeCode(options);

  return {
    /** `order` says for whom and to which address, or refuses. */
    start(
      request: FastifyRequest,
      order: (tx: Tx, at: number) => Promise<FlowOrder | Refusal>,
    ): Promise<{ id: string }> {
      const deviceHash = deviceHashOf(request);
      return run(async (tx): Promise<{ id: string } | Refusal> => {
        const ordered = await order(tx, now());
        if ('refused' in ordered) return ordered;
        const { owner, ...code } = ordered;
        const isKnown = deviceHash && owner !== undefined && (await isKnownDevice(tx.db, owner, deviceHash));
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

/** For new accounts and new addresses. Existing accounts keep theirs. */
export function refuseForeignDomain(email: string, emailDomains: EmailDomains | undefined): void {
  if (!emailDomains || isDomainAllowed(email, emailDomains)) return;
  const message = 'Адреса этого почтового сервиса здесь не принимают. Укажите адрес другого.';
  throw new ApiError('INVALID_REQUEST', { message });
}
