import type { Device } from '#contract/sessions.ts';
import type { Config } from '../config.ts';
import type { Tx } from '../db/database.ts';
import { type Exhausted, spend } from '../limits/budgets.ts';
import { queueMail } from '../mail/outbox.ts';
import type { Secrets } from '../secrets.ts';
import { authBudgets } from './auth-budgets.ts';
import { newCode, newOperationId, type Purpose } from './rules.ts';
import { startOperation } from './store.ts';

export interface CodeOrder {
  purpose: Purpose;
  email: string;
  /** Whose account is to change; null at sign-in. */
  userId: number | null;
  clientToken: string;
  device: Device;
  /** The mark of the asking device, if the account knows it. */
  knownDevice: string | undefined;
  /** The hash of the invitation that came with a registration. */
  invite?: string | null;
}

interface CodeOptions {
  config: Config;
  secrets: Secrets;
  now: () => number;
}

/** Begins an operation, its code on the way by mail when the transaction commits; or what stands in its way. */
export function makeSendCode({ config, secrets, now }: CodeOptions) {
  const budgets = authBudgets(config);

  return async (tx: Tx, order: CodeOrder): Promise<{ id: string } | Exhausted> => {
    const { purpose, email, userId, clientToken, device, knownDevice, invite = null } = order;
    const at = now();
    const exhausted = await spend(
      tx,
      // A known device has budgets of its own, so that no stranger can use up what its owner needs.
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
      codeHash: secrets.markCode([id, purpose, email, code]),
      invite,
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
