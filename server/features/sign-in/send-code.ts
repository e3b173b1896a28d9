import type { Device } from '#contract/sessions.ts';
import type { Config } from '../../config.ts';
import type { Tx } from '../../db/database.ts';
import { type Exhausted, spend } from '../../limits/budgets.ts';
import { queueMail } from '../../mail/outbox.ts';
import type { Secrets } from '../../secrets.ts';
import { signInBudgets } from './budgets.ts';
import { newCode, newOperationId, type Purpose } from './rules.ts';
import { startOperation } from './store.ts';

export interface CodeOrder {
  purpose: Purpose;
  email: string;
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
export function makeSendCode({ config, secrets, now }: CodeOptions) {
  const budgets = signInBudgets(config);

  return async (tx: Tx, order: CodeOrder): Promise<{ id: string } | Exhausted> => {
    const { purpose, email, userId, clientToken, device, knownDevice, invite = null, consent = null } = order;
    const at = now();
    const exhausted = await spend(
      tx,
      // A known device has budgets of its own, so that strangers cannot exhaust the owner's.
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
    const content = { kind: 'code', purpose, code, device, ttlSeconds: config.codeTtlSeconds } as const;
    await queueMail(tx, {
      operationId: id,
      recipient: email,
      sealed: secrets.seal(JSON.stringify(content)),
      now: at,
      giveUpAt: expiresAt,
    });
    return { id };
  };
}
