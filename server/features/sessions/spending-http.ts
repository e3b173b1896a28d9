import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../db/database.ts';
import { spendOrRefuse } from '../../limits/http.ts';
import { writingBudgets, type WritingOptions } from '../../limits/writing-budgets.ts';
import { callerOf } from './http.ts';

type Work<Done> = (tx: Tx, caller: { userId: number; now: number }) => Promise<Done>;

/** Runs transactions of the caller, each of which spends one from a budget of theirs. */
export function spendingIn({ db, config, now }: WritingOptions) {
  const budgets = writingBudgets(config);
  return <Done>(request: FastifyRequest, budget: keyof typeof budgets, work: Work<Done>): Promise<Done> => {
    const { userId } = callerOf(request);
    return db.tx(async (tx) => {
      const at = now();
      await spendOrRefuse(tx, budgets[budget](userId), at);
      return work(tx, { userId, now: at });
    });
  };
}
