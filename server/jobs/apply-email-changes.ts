import type { FastifyBaseLogger } from 'fastify';
import { dueChanges, takeDueChange } from '../account/email-undo.ts';
import { changeEmail, lockEmail } from '../account/store.ts';
import { endOperationsOf } from '../auth/store.ts';
import { AlreadyTaken, type Database } from '../db/database.ts';
import { closeAllSessionsOf } from '../sessions/store.ts';
import { steadyClock } from './steady-clock.ts';

const everyMs = 60_000;
/** A wrong clock must not cut short the time in which a change can be refused. */
const steadySeconds = 3_600;

/** Carries out operators' changes of addresses that nobody has refused in time. */
export async function applyEmailChanges(db: Database, now: number, log: FastifyBaseLogger): Promise<void> {
  for (const change of await dueChanges(db.read, now)) {
    const { token_hash: tokenHash, user_id: userId, email, new_email: newEmail } = change;
    const applying = db.tx(async (tx) => {
      if (!(await takeDueChange(tx, tokenHash))) return;
      // The owner has changed it by themselves, or deleted the account.
      if ((await lockEmail(tx, userId)) !== email) return;
      await changeEmail(tx, userId, newEmail!);
      await endOperationsOf(tx, userId);
      await closeAllSessionsOf(tx, userId);
    });
    await applying.catch(async (error: unknown) => {
      if (!(error instanceof AlreadyTaken)) throw error;
      log.warn({ user: userId }, 'an operator’s change of address is void: somebody else has the address by now');
      await db.tx((tx) => takeDueChange(tx, tokenHash));
    });
  }
}

/** Does so now and then, by a clock that can be trusted; returns what stops it. */
export function keepApplyingEmailChanges(db: Database, now: () => number, log: FastifyBaseLogger): () => void {
  const isSteady = steadyClock(now, steadySeconds);
  const timer = setInterval(() => {
    if (!isSteady()) return;
    applyEmailChanges(db, now(), log).catch((error: unknown) => {
      log.warn({ err: error }, 'could not carry out changes of addresses');
    });
  }, everyMs).unref();
  return () => clearInterval(timer);
}
