import { hash, randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import type { Secrets } from '../../secrets.ts';
import { claimedBy, lockUnclaimed } from './claims.ts';
import { type By, recordAct } from './journal.ts';

export const registrationModes = ['open', 'invite'] as const;
export type RegistrationMode = (typeof registrationModes)[number];

const key = 'registration';

export async function registrationMode(db: Kysely<Schema>): Promise<RegistrationMode> {
  const setting = await db.selectFrom('wall_settings').select('value').where('key', '=', key).executeTakeFirst();
  return setting?.value === 'invite' ? 'invite' : 'open';
}

export async function setRegistrationMode({ db }: Tx, value: RegistrationMode): Promise<void> {
  await db
    .insertInto('wall_settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Without letters and digits that look alike. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const half = 5;

/** The invitation code of a number: the same number always gives the same code. */
export function inviteCodeOf(number: bigint): string {
  const characters = Array.from({ length: 2 * half }, (_, i) => {
    const place = number / BigInt(alphabet.length) ** BigInt(i);
    return alphabet[Number(place % BigInt(alphabet.length))];
  });
  return `${characters.slice(0, half).join('')}-${characters.slice(half).join('')}`;
}

const letters = (count: number): string =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');

export const newInviteCode = (): string => `${letters(half)}-${letters(half)}`;

/** Codes are stored as hashes. Case, white space and dashes of the typed code do not matter. */
const inviteHash = (code: string): string =>
  hash('sha256', code.replace(/[\s\p{Pd}]/gu, '').toUpperCase(), 'base64url');

const claim = 'claim ';

/** What an operation keeps of the code that came with it: the hash of an invitation, or which account it claims. */
export function keptOf(secrets: Secrets, code: string): string {
  const id = claimedBy(secrets, code);
  return id === undefined ? inviteHash(code) : claim + String(id);
}

/** Why a registration is admitted: it is open to everybody, or by an invitation or a claim, which it will use. */
export type Admission = 'open' | { invite: string } | { claimed: number };

/** Whether a registration may start. The invitation is used when the registration is complete. */
export async function mayRegister(tx: Tx, invite: string | null): Promise<boolean> {
  return (await admit(tx, invite)) !== undefined;
}

/** Locks the invitation until the end of the transaction, so that it is used once; undefined without a valid one. */
export async function admit(tx: Tx, invite: string | null): Promise<Admission | undefined> {
  const { db } = tx;
  if (invite?.startsWith(claim)) {
    const claimed = Number(invite.slice(claim.length));
    if (await lockUnclaimed(tx, claimed)) return { claimed };
  }
  if ((await registrationMode(db)) === 'open') return 'open';
  if (invite === null) return undefined;
  const locked = await db
    .updateTable('invites')
    .set((eb) => ({ note: eb.ref('note') }))
    .where('code_hash', '=', invite)
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  return locked && { invite: locked.code_hash };
}

export async function useInvite({ db }: Tx, invite: string, userId: number, now: number): Promise<void> {
  await db.updateTable('invites').set({ used_at: now, used_by: userId }).where('code_hash', '=', invite).execute();
}

/** Hands out codes, of which only hashes are stored. Resolves to the entry in the journal. */
export async function actInvite(tx: Tx, codes: readonly string[], by: By): Promise<number> {
  await addInvites(tx, codes, by.reason, by.at);
  return recordAct(tx, by, { action: 'invite', details: { count: codes.length } });
}

/** How many codes an entry in the journal has handed out. */
export async function countInvitesOf({ db }: Tx, actId: number): Promise<number> {
  const { details } = await db
    .selectFrom('operator_log')
    .select('details')
    .where('id', '=', actId)
    .executeTakeFirstOrThrow();
  return (JSON.parse(details!) as { count: number }).count;
}

export async function addInvites({ db }: Tx, codes: readonly string[], note: string, now: number): Promise<void> {
  await db
    .insertInto('invites')
    .values(codes.map((code) => ({ code_hash: inviteHash(code), note, created_at: now })))
    .execute();
}

/** The latest first, from below an id, with the names of the people who used them. */
export function listInvites(db: Kysely<Schema>, limit: number, below?: number) {
  return db
    .selectFrom('invites as i')
    .leftJoin('users as u', 'u.id', 'i.used_by')
    .select(['i.id', 'i.note', 'i.created_at', 'i.used_at', 'u.username as used_by'])
    .$if(below !== undefined, (query) => query.where('i.id', '<', below!))
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute();
}
