import type { Tx } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { type Budget, type Exhausted, spend } from './budgets.ts';

/** Takes one from a budget; without any left the transaction is undone and the caller told when to come again. */
export async function spendOrRefuse(tx: Tx, budget: Budget, now: number, message?: string): Promise<void> {
  const exhausted = await spend(tx, [budget], now);
  if (exhausted) throw tooMany(exhausted, message);
}

export const tooMany = ({ wait, limit }: Exhausted, message?: string): ApiError =>
  new ApiError('TOO_MANY_REQUESTS', { retryAfter: wait, limit, message });
