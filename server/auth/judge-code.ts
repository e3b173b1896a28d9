import type { ErrorCode } from '#contract/errors.ts';
import { findUserIdByEmail } from '../account/store.ts';
import type { Config } from '../config.ts';
import type { Tx } from '../db/database.ts';
import { type Exhausted, openBudgets } from '../limits/budgets.ts';
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
  | { refused: ErrorCode };

interface JudgeOptions {
  config: Config;
  secrets: Secrets;
  now: () => number;
}

/** Judges a code. The right one ends its operation; a try that was used stays used, so a refusal must not undo it. */
export function makeJudgeCode({ config, secrets, now }: JudgeOptions) {
  const budgets = authBudgets(config);

  return async (tx: Tx, { purpose, id, confirmCode, clientToken, userId, mark }: Attempt): Promise<Verdict> => {
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
      [budgets.wrongCodes({ email, knownDevice: isKnown ? mark : undefined })],
      at,
    );
    if (wrongCodes.exhausted) return wrongCodes.exhausted;

    const tries = await takeTry(tx, id);
    if (tries === undefined) {
      return { refused: (await findOperation(tx.db, id)) ? 'MAX_CONFIRM_ATTEMPTS' : 'OPERATION_EXPIRED' };
    }
    if (!secrets.isMarkOfCode(operation.code_hash, [id, purpose, email, confirmCode])) {
      await wrongCodes.spend();
      return { refused: tries >= triesPerOperation ? 'MAX_CONFIRM_ATTEMPTS' : 'INVALID_CONFIRM_CODE' };
    }
    await endOperation(tx, id);
    return { owner, isKnown, email, device: operation.device, invite: operation.invite };
  };
}
