import type { Kysely } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { inviteHash, newInviteCode } from './invite-code.ts';
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

/** Resolves to the codes, which are nowhere to be read again. */
export async function addInvites({ db }: Tx, count: number, note: string, now: number): Promise<string[]> {
  const codes = Array.from({ length: count }, newInviteCode);
  await db
    .insertInto('invites')
    .values(codes.map((code) => ({ code_hash: inviteHash(code), note, created_at: now })))
    .execute();
  return codes;
}

/** Latest first, with the names of those who came by them. */
export function listInvites(db: Kysely<Schema>, limit: number) {
  return db
    .selectFrom('invites as i')
    .leftJoin('users as u', 'u.id', 'i.used_by')
    .select(['i.note', 'i.created_at', 'i.used_at', 'u.username as used_by'])
    .orderBy('i.created_at', 'desc')
    .orderBy('i.code_hash')
    .limit(limit)
    .execute();
}
