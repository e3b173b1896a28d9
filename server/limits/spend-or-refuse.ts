import type { Tx } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { type Budget, spend } from './budgets.ts';

/** Takes one from a budget; without any left the transaction is undone and the caller told when to come again. */
export async function spendOrRefuse(tx: Tx, budget: Budget, now: number): Promise<void> {
  const wait = await spend(tx, [budget], now);
  if (wait > 0) throw new ApiError('TOO_MANY_REQUESTS', { retryAfter: wait });
}
