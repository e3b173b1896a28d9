import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../db/database.ts';
import type { Budget } from '../../limits/budgets.ts';
import { spendOrRefuse } from '../../limits/http.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { callerOf } from './http.ts';

type Work<Done> = (tx: Tx, caller: { userId: number; now: number }) => Promise<Done>;

/** Runs transactions of the caller, each of which spends one from a budget of theirs. */
export const spendingIn =
  ({ db, now }: Pick<WritingOptions, 'db' | 'now'>) =>
  <Done>(request: FastifyRequest, budget: (userId: number) => Budget, work: Work<Done>): Promise<Done> => {
    const { userId } = callerOf(request);
    return db.tx(async (tx) => {
      const at = now();
      await spendOrRefuse(tx, budget(userId), at);
      return work(tx, { userId, now: at });
    });
  };
