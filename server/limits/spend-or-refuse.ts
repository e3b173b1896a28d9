import { errors } from '#contract/errors.ts';
import type { Tx } from '../db/database.ts';
import { ApiError } from '../http/api-error.ts';
import { type Budget, type Exhausted, spend } from './budgets.ts';

/** Takes one from a budget; without any left the transaction is undone and the caller told when to come again. */
export async function spendOrRefuse(tx: Tx, budget: Budget, now: number): Promise<void> {
  const exhausted = await spend(tx, [budget], now);
  if (exhausted) throw tooMany(exhausted);
}

export const tooMany = ({ wait, limit }: Exhausted, message: string = errors.TOO_MANY_REQUESTS.message): ApiError =>
  new ApiError('TOO_MANY_REQUESTS', { message, retryAfter: wait, limit });
