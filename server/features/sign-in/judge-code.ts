import type { Config } from '../../config.ts';
import type { Tx } from '../../db/database.ts';
import { openBudgets, spend } from '../../limits/budgets.ts';
import type { Refusal } from '../../limits/refusal.ts';
import type { Notice } from '../../mail/notices.ts';
import { queueNotice } from '../../mail/outbox.ts';
import type { Secrets } from '../../secrets.ts';
import { signInBudgets } from './sign-in-budgets.ts';
import { type Purpose, triesPerOperation } from './sign-in-rules.ts';
import { endOperation, findOperation, findUserIdByEmail, isKnownDevice, useTry } from './sign-in-store.ts';

export interface Attempt {
  purpose: Purpose;
  id: string;
  confirmCode: string;
  clientToken: string;
  /** The account to change; null at sign-in. */
  userId: number | null;
  /** Networks that contain the client's address, the smallest first. */
  networks: readonly string[];
  /** The hash of the cookie of the device. */
  deviceHash: string | undefined;
}

export interface RightCode {
  /** The account that has the address now; undefined if none has. */
  owner: number | undefined;
  /** Whether that account has seen the device before. */
  isKnown: boolean;
  email: string;
  device: string;
  /** The hash of the invitation that came with a registration. */
  invite: string | null;
  /** The hash of the consent that came with a registration. */
  consent: string | null;
}

interface JudgeOptions {
  config: Config;
  secrets: Secrets;
  now: () => number;
}

/** Judges a code. The right code ends its operation. After a refusal the caller must commit, so that the try stays used. */
export function makeJudgeCode({ config, secrets, now }: JudgeOptions) {
  const budgets = signInBudgets(config);

  return async (tx: Tx, attempt: Attempt): Promise<RightCode | Refusal> => {
    const { purpose, id, confirmCode, clientToken, userId, networks, deviceHash } = attempt;
    const at = now();
    const operation = await findOperation(tx.db, id);
    const isTheirs = operation?.purpose === purpose && operation.user_id === userId;
    if (!operation || !isTheirs || operation.expires_at <= at) return { refused: 'OPERATION_EXPIRED' };
    if (operation.client_token !== clientToken) return { refused: 'INVALID_REQUEST' };

    const { email } = operation;
    const owner = await findUserIdByEmail(tx.db, email);
    const isKnown = deviceHash !== undefined && owner !== undefined && (await isKnownDevice(tx.db, owner, deviceHash));
    const wrongCodes = await openBudgets(
      tx,
      [
        budgets.wrongCodes({ email, knownDevice: isKnown ? deviceHash : undefined }),
        // Guesses from the same network must not lock out a known device.
        ...(isKnown ? [] : budgets.guesses(networks)),
      ],
      at,
    );
    if (wrongCodes.exhausted) return wrongCodes.exhausted;

    const tries = await useTry(tx, id);
    if (tries === undefined) {
      return { refused: (await findOperation(tx.db, id)) ? 'MAX_CONFIRM_ATTEMPTS' : 'OPERATION_EXPIRED' };
    }
    if (!secrets.isMacOfCode(operation.code_hash, [id, purpose, email, confirmCode])) {
      wrongCodes.spend();
      // The code of a change of address was sent to the new address, which has no owner to warn.
      if (purpose !== 'email-change' && (await isAlarming(tx, email, at)) && owner !== undefined) {
        const notice = { kind: 'guessed', at } satisfies Notice;
        await queueNotice(tx, { recipient: email, sealed: secrets.seal(JSON.stringify(notice)), now: at });
      }
      const refused = tries >= triesPerOperation ? 'MAX_CONFIRM_ATTEMPTS' : 'INVALID_CONFIRM_CODE';
      return { refused, wrongCodeFor: email };
    }
    await endOperation(tx, id);
    const { device, invite, consent } = operation;
    return { owner, isKnown, email, device, invite, consent };
  };

  /** True at most once a day, at the tenth wrong code of the day or later. Addresses without an account are counted too. */
  async function isAlarming(tx: Tx, email: string, at: number): Promise<boolean> {
    const hasMany = (await spend(tx, [budgets.unalarming(email)], at)) !== undefined;
    return hasMany && (await spend(tx, [budgets.alarms(email)], at)) === undefined;
  }
}
