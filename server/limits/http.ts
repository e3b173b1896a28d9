import type { ErrorCode } from '#contract/errors.ts';
import { AlreadyTaken, type Database, type Tx } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { type Budget, type Exhausted, isRefusal, type OpenBudgets, openBudgets, type Refusal } from './budgets.ts';

/** Spends one from a budget. Throws when nothing is left, which rolls the transaction back. */
export async function spendOrRefuse(tx: Tx, budget: Budget, now: number, message?: string): Promise<void> {
  spendOpenOrRefuse(await openBudgets(tx, [budget], now), message);
}

/** The same for budgets that have been opened. */
export function spendOpenOrRefuse({ exhausted, spend }: OpenBudgets, message?: string): void {
  if (exhausted) throw tooMany(exhausted, message);
  spend();
}

const tooMany = ({ wait, limit }: Exhausted, message?: string): ApiError =>
  new ApiError('TOO_MANY_REQUESTS', { retryAfter: wait, limit, message });

/**
 * Runs a transaction that commits even when it refuses, so that a try or a budget it has spent stays spent, and throws
 * the refusal afterwards. `taken` is the code for a value that must be unique and already belongs to somebody else.
 */
export async function commitOrRefuse<Done extends object>(
  db: Database,
  work: (tx: Tx) => Promise<Done | Refusal>,
  taken?: ErrorCode,
): Promise<Done> {
  const outcome = await db.tx(work).catch((error: unknown) => {
    if (taken !== undefined && error instanceof AlreadyTaken) throw new ApiError(taken);
    throw error;
  });
  if (!isRefusal(outcome)) return outcome;
  throw 'refused' in outcome ? new ApiError(outcome.refused, outcome) : tooMany(outcome, outcome.message);
}
