import type { Tx } from '../db/database.ts';
import { registrationMode } from './registration.ts';

/** By what somebody may register: freely, or by an invitation that is theirs if they do. */
export type Admission = 'open' | { invite: string };

/** Whether a registration may begin; an invitation is used up at its end only. */
export async function mayRegister(tx: Tx, invite: string | null): Promise<boolean> {
  return (await admit(tx, invite)) !== undefined;
}

/** Holds the invitation till the end of the transaction, so that nobody else comes in by it; undefined without a good one. */
export async function admit({ db }: Tx, invite: string | null): Promise<Admission | undefined> {
  if ((await registrationMode(db)) === 'open') return 'open';
  if (invite === null) return undefined;
  const held = await db
    .updateTable('invites')
    .set((eb) => ({ note: eb.ref('note') }))
    .where('code_hash', '=', invite)
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  return held && { invite: held.code_hash };
}

export async function useInvite({ db }: Tx, invite: string, userId: number, now: number): Promise<void> {
  await db.updateTable('invites').set({ used_at: now, used_by: userId }).where('code_hash', '=', invite).execute();
}
