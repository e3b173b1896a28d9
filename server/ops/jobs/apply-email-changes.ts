import type { FastifyBaseLogger } from 'fastify';
import { dueEmailChanges, claimDueChange } from '../../features/account/email-changes.ts';
import { changeEmail } from '../../features/account/store.ts';
import { endOperationsOf } from '../../features/sign-in/store.ts';
import { AlreadyTaken, type Database } from '../../db/database.ts';
import { closeAllSessionsOf, lockAccount } from '../../features/sessions/store.ts';

/** Applies operators' changes of addresses that the owner of the account has not refused in time. */
export async function applyEmailChanges(db: Database, now: number, log: FastifyBaseLogger): Promise<void> {
  for (const change of await dueEmailChanges(db.read, now)) {
    const { token_hash: tokenHash, user_id: userId, email, new_email: newEmail } = change;
    const applying = db.tx(async (tx) => {
      if (!(await claimDueChange(tx, tokenHash))) return;
      // The owner has changed the address or deleted the account since.
      if ((await lockAccount(tx, userId)) !== email) return;
      await changeEmail(tx, userId, newEmail!);
      await endOperationsOf(tx, userId);
      await closeAllSessionsOf(tx, userId);
    });
    await applying.catch(async (error: unknown) => {
      if (!(error instanceof AlreadyTaken)) throw error;
      log.warn({ user: userId }, 'an operator’s change of address was dropped: another account has the address');
      await db.tx((tx) => claimDueChange(tx, tokenHash));
    });
  }
}
