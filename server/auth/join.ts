import { findOrCreateUser, findUserIdByEmail } from '../account/store.ts';
import type { Tx } from '../db/database.ts';
import { admit, useInvite } from '../order/invites.ts';

/** The account of an address that had none when its code was sent; undefined while the wall is closed to newcomers. */
export async function join(
  tx: Tx,
  { email, invite, now }: { email: string; invite: string | null; now: number },
): Promise<number | undefined> {
  const admission = await admit(tx, invite);
  // The same person may have come in by another device a moment ago.
  if (!admission) return findUserIdByEmail(tx.db, email);
  const { userId, isNew } = await findOrCreateUser(tx, email, now);
  if (isNew && admission !== 'open') await useInvite(tx, admission.invite, userId, now);
  return userId;
}
