import type { ErrorCode } from '#contract/errors.ts';
import { AlreadyTaken, type Database, type Tx } from '../db/database.ts';
import { ApiError } from '../http/thrown-api-error.ts';
import { type Budget, type OpenBudgets, openBudgets } from './budgets.ts';
import type { Refusal } from './refusal.ts';

/** Spends one use of a budget. Throws when it is exhausted, which rolls the transaction back. */
export async function spendOrRefuse(tx: Tx, budget: Budget, now: number, message?: string): Promise<void> {
  spendOpenOrRefuse(await openBudgets(tx, [budget], now), message);
}

/** Like `spendOrRefuse`, for budgets that have been opened. */
export function spendOpenOrRefuse({ exhausted, spend }: OpenBudgets, message?: string): void {
  if (exhausted) throw new ApiError(exhausted.refused, { ...exhausted, message });
  spend();
}

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
  if ('refused' in outcome) throw new ApiError(outcome.refused, outcome);
  return outcome;
}
