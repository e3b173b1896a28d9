import type { ErrorCode } from '#contract/errors.ts';
import { findUserIdByEmail } from '../account/store.ts';
import type { Config } from '../config.ts';
import type { Tx } from '../db/database.ts';
import { type Exhausted, openBudgets, spend } from '../limits/budgets.ts';
import type { Notice } from '../mail/notices.ts';
import { queueNotice } from '../mail/outbox.ts';
import type { Secrets } from '../secrets.ts';
import { authBudgets } from './auth-budgets.ts';
import { type Purpose, triesPerOperation } from './rules.ts';
import { endOperation, findOperation, isKnownDevice, takeTry } from './store.ts';

export interface Attempt {
  purpose: Purpose;
  id: string;
  confirmCode: string;
  clientToken: string;
  /** Who asks to change their account; null at sign-in. */
  userId: number | null;
  /** Where the attempt comes from, the narrowest first. */
  networks: readonly string[];
  /** The mark of the device. */
  mark: string | undefined;
}

export type Verdict =
  | {
      /** The account that has the address by now. */
      owner: number | undefined;
      /** Whether that account has seen the device before. */
      isKnown: boolean;
      email: string;
      device: string;
      /** The hash of the invitation that came with a registration. */
      invite: string | null;
    }
  | Exhausted
  | {
      refused: ErrorCode;
      /** The address whose code was judged and found wrong. */
      wrongCodeFor?: string;
    };

interface JudgeOptions {
  config: Config;
  secrets: Secrets;
  now: () => number;
}

/** Judges a code. The right one ends its operation; a try that was used stays used, so a refusal must not undo it. */
export function makeJudgeCode({ config, secrets, now }: JudgeOptions) {
  const budgets = authBudgets(config);

  return async (tx: Tx, attempt: Attempt): Promise<Verdict> => {
    const { purpose, id, confirmCode, clientToken, userId, networks, mark } = attempt;
    const at = now();
    const operation = await findOperation(tx.db, id);
    const isTheirs = operation?.purpose === purpose && operation.user_id === userId;
    if (!operation || !isTheirs || operation.expires_at <= at) return { refused: 'OPERATION_EXPIRED' };
    if (operation.client_token !== clientToken) return { refused: 'INVALID_REQUEST' };

    const { email } = operation;
    const owner = await findUserIdByEmail(tx.db, email);
    const isKnown = mark !== undefined && owner !== undefined && (await isKnownDevice(tx.db, owner, mark));
    const wrongCodes = await openBudgets(
      tx,
      [
        budgets.wrongCodes({ email, knownDevice: isKnown ? mark : undefined }),
        // Guesses of a network's strangers must not lock out who is known.
        ...(isKnown ? [] : budgets.guesses(networks)),
      ],
      at,
    );
    if (wrongCodes.exhausted) return wrongCodes.exhausted;

    const tries = await takeTry(tx, id);
    if (tries === undefined) {
      return { refused: (await findOperation(tx.db, id)) ? 'MAX_CONFIRM_ATTEMPTS' : 'OPERATION_EXPIRED' };
    }
    if (!secrets.isMarkOfCode(operation.code_hash, [id, purpose, email, confirmCode])) {
      await wrongCodes.spend();
      // At a change of address the code went to the new one, which is nobody's yet.
      if (owner !== undefined && purpose !== 'email-change') await warnOwner(tx, email, at);
      const refused = tries >= triesPerOperation ? 'MAX_CONFIRM_ATTEMPTS' : 'INVALID_CONFIRM_CODE';
      return { refused, wrongCodeFor: email };
    }
    await endOperation(tx, id);
    return { owner, isKnown, email, device: operation.device, invite: operation.invite };
  };

  /** Once a day, after ten wrong codes in a day. */
  async function warnOwner(tx: Tx, email: string, at: number): Promise<void> {
    const isAlarming = (await spend(tx, [budgets.unalarming(email)], at)) !== undefined;
    if (!isAlarming || (await spend(tx, [budgets.alarms(email)], at))) return;
    const notice = { kind: 'guessed', at } satisfies Notice;
    await queueNotice(tx, { recipient: email, sealed: secrets.seal(JSON.stringify(notice)), now: at });
  }
}
