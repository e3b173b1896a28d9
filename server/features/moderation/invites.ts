import { hash, randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Owner } from '#contract/posts.ts';
import type { Database, Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { putSetting, readSetting } from '../../db/wall-setting-rows.ts';
import { shownColumnsOfU, shownNames, type ShownRow } from '../../names/shown-names.ts';
import type { Secrets } from '../../secrets.ts';
import { asRegistrationMode, registrationKey, type RegistrationMode } from '../wall-texts/wall-settings.ts';
import { mayInvite } from './branch.ts';
import { claimedBy, isUnclaimed, lockUnclaimed } from './claims.ts';
import { type By, type Outcome, recordAct } from './journal.ts';
import { actAppoint, isOwner, lockOwners, waitsForOwner } from './roles.ts';

const validSeconds = 24 * 3_600;

/**
 * The code of a link that makes its reader the first owner; undefined once somebody has registered. Imported people do not
 * count. The code is a time with a signature and is not stored, so every process accepts the code that another one has printed.
 */
export async function newOwnerCode(db: Database, secrets: Secrets, now: number): Promise<string | undefined> {
  const person = await db.read
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.not(isUnclaimed('users')))
    .limit(1)
    .executeTakeFirst();
  if (person) return undefined;
  const expiresAt = String(now + validSeconds);
  return `${expiresAt}.${secrets.sign('owner link', expiresAt)}`;
}

/** Whether a code was printed by this wall and has not expired. The caller checks that the wall still has no owner. */
export function isOwnerCode(secrets: Secrets, code: string, now: number): boolean {
  const [, expiresAt, signature] = /^(\d{1,11})\.([\w-]{43})$/.exec(code) ?? [];
  if (expiresAt === undefined || signature === undefined) return false;
  return Number(expiresAt) > now && secrets.isSignature(signature, 'owner link', expiresAt);
}

/** Makes a person the first owner; refuses when the wall has or had an owner. The lock makes concurrent requests wait. */
export async function actBecomeOwner(tx: Tx, person: { id: number; username: string }, at: number): Promise<Outcome> {
  await lockOwners(tx);
  if (!(await waitsForOwner(tx.db))) return { refused: 'missing' };
  const reason = 'По ссылке, которую стена напечатала при запуске';
  const by = { at, operator: person.username, moderatorId: person.id, reason };
  return actAppoint(tx, person.id, by, { owner: true });
}

/** Makes the person the first owner if the sign-in began at the owner link. False when another person was faster. */
export async function becomeOwnerByLink(tx: Tx, invite: string | null, userId: number, at: number): Promise<boolean> {
  if (invite !== ownerLink) return false;
  const { username } = await tx.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return !('refused' in (await actBecomeOwner(tx, { id: userId, username }, at)));
}

export async function registrationMode(db: Kysely<Schema>): Promise<RegistrationMode> {
  return asRegistrationMode(await readSetting(db, registrationKey));
}

export async function setRegistrationMode(tx: Tx, value: RegistrationMode): Promise<void> {
  await putSetting(tx, registrationKey, value);
  tx.touch('wall');
}

/** Letters and digits that look alike are left out. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const half = 5;

/** The code of an invitation that can be shown again: it is derived from the id and the secret. */
export function inviteCode(secrets: Secrets, id: number): string {
  // These words must not change: all codes that were handed out are derived from them.
  const number = BigInt(
    `0x${Buffer.from(secrets.codeMac(['member invite', String(id)]), 'base64url').toString('hex')}`,
  );
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
export const inviteHash = (code: string): string =>
  hash('sha256', code.replace(/[\s\p{Pd}]/gu, '').toUpperCase(), 'base64url');

/** Replaces the code of an invitation by the derived one, which can be shown again. */
export async function deriveCode({ db }: Tx, secrets: Secrets, id: number): Promise<string> {
  const code = inviteCode(secrets, id);
  await db
    .updateTable('invites')
    .set({ code_hash: inviteHash(code) })
    .where('id', '=', id)
    .execute();
  return code;
}

const claim = 'claim ';
const ownerLink = 'owner';

/** The form in which a started registration stores its code: the owner link, the account to claim, or the hash of an invitation. */
export function toStoredInvite(secrets: Secrets, code: string, now: number): string {
  if (isOwnerCode(secrets, code, now)) return ownerLink;
  const id = claimedBy(secrets, code);
  return id === undefined ? inviteHash(code) : claim + String(id);
}

/** Why a registration is admitted: it is open to everybody, or it will use an invitation, or it claims an account. */
export type Admission = 'open' | { invite: string } | { claimed: number };

/** Whether a registration may start. The invitation is used when the registration is complete. */
export async function mayRegister(tx: Tx, invite: string | null): Promise<boolean> {
  return (await admit(tx, invite)) !== undefined;
}

/** Decides about a registration; undefined if it is refused. Locks its invitation, so that nobody else takes the same seat. */
export async function admit(tx: Tx, invite: string | null): Promise<Admission | undefined> {
  const { db } = tx;
  if (invite?.startsWith(claim)) {
    const claimed = Number(invite.slice(claim.length));
    if (await lockUnclaimed(tx, claimed)) return { claimed };
  }
  if (invite === ownerLink && (await waitsForOwner(db))) return 'open';
  const locked =
    invite !== null &&
    (await db
      .updateTable('invites')
      .set((eb) => ({ note: eb.ref('note') }))
      .where('code_hash', '=', invite)
      .whereRef('used', '<', 'seats')
      .returning(['code_hash', 'made_by', 'by_member'])
      .executeTakeFirst());
  const mode = await registrationMode(db);
  if (locked && (await isValid(db, locked, mode))) return { invite: locked.code_hash };
  return mode === 'open' ? 'open' : undefined;
}

/** Whether an invitation with a free seat is valid. This depends on the current state of its maker and of the wall. */
async function isValid(
  db: Kysely<Schema>,
  { made_by: maker, by_member: byMember }: { made_by: number | null; by_member: number },
  mode: RegistrationMode,
): Promise<boolean> {
  if (mode === 'closed') return false;
  if (maker === null) return true;
  const { role, blocked_at, deleted_at } = await db
    .selectFrom('users')
    .select(['role', 'blocked_at', 'deleted_at'])
    .where('id', '=', maker)
    .executeTakeFirstOrThrow();
  if (blocked_at !== null) return false;
  if (byMember === 0) return true;
  if (deleted_at !== null) return false;
  return role !== null || (mode !== 'invite' && (await mayInvite(db, maker)));
}

/** Takes a seat of the invitation, and records its maker as the inviter of the person. */
export async function useInvite({ db }: Tx, invite: string, userId: number, now: number): Promise<void> {
  const { made_by } = await db
    .updateTable('invites')
    .set((eb) => ({ used_at: now, used_by: userId, used: eb('used', '+', 1) }))
    .where('code_hash', '=', invite)
    .returning('made_by')
    .executeTakeFirstOrThrow();
  await db.updateTable('users').set({ invited_by: made_by }).where('id', '=', userId).execute();
}

/** Makes invitations for `seats` people each. Only hashes of the codes are stored. Resolves to the id of the journal entry. */
export async function actInvite(tx: Tx, codes: readonly string[], by: By, seats = 1): Promise<number> {
  const ids = await addInvites(tx, codes, by.reason, by.at, { seats, made_by: by.moderatorId ?? null });
  return recordAct(tx, by, { action: 'invite', details: { count: codes.length, ...(seats > 1 && { seats }), ids } });
}

/** Revokes the free seats of an invitation: its link admits nobody any more. Only its maker and owners may do this. */
export async function actEndInvite(tx: Tx, id: number, by: By): Promise<Outcome> {
  const { db } = tx;
  const found = await db.selectFrom('invites').select('made_by').where('id', '=', id).executeTakeFirst();
  if (!found) return { refused: 'missing' };
  if (found.made_by !== by.moderatorId && !(await isOwner(db, by.moderatorId!))) return { refused: 'not yours' };
  const ended = await db
    .updateTable('invites')
    .set((eb) => ({ seats: eb.ref('used') }))
    .where('id', '=', id)
    .whereRef('used', '<', 'seats')
    .returning(['note', 'used'])
    .executeTakeFirst();
  if (!ended) return { refused: 'already' };
  return {
    actId: await recordAct(tx, by, { action: 'end-invite', target: ended.note, details: { used: ended.used } }),
  };
}

/** The maker of an invitation that can still be used; null for the operator and for a person whose account is deleted. */
export async function findInviter(db: Kysely<Schema>, code: string): Promise<Owner | null | undefined> {
  const row = await db
    .selectFrom('invites as i')
    .leftJoin('users as u', (join) => join.onRef('u.id', '=', 'i.made_by').on('u.deleted_at', 'is', null))
    .select([...shownColumnsOfU, 'u.id', 'i.made_by', 'i.by_member'])
    .where('i.code_hash', '=', inviteHash(code))
    .whereRef('i.used', '<', 'i.seats')
    .executeTakeFirst();
  if (!row || !(await isValid(db, row, await registrationMode(db)))) return undefined;
  const { username, is_namesake: isNamesake, id, ...names } = row;
  return username === null ? null : { id: String(id), ...shownNames({ ...names, username, is_namesake: isNamesake! }) };
}

/** The ids of the invitations that an act has made. */
export async function invitesOf({ db }: Tx, actId: number): Promise<number[]> {
  const { details } = await db
    .selectFrom('operator_log')
    .select('details')
    .where('id', '=', actId)
    .executeTakeFirstOrThrow();
  return (JSON.parse(details!) as { ids: number[] }).ids;
}

export async function addInvites(
  { db }: Tx,
  codes: readonly string[],
  note: string,
  now: number,
  more: { seats: number; made_by: number | null } = { seats: 1, made_by: null },
): Promise<number[]> {
  const rows = await db
    .insertInto('invites')
    .values(codes.map((code) => ({ code_hash: inviteHash(code), note, created_at: now, ...more })))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The invitations of keepers and operators with ids below `below`, the latest first, with the name of the last user. */
export function listInvites(db: Kysely<Schema>, limit: number, below?: number) {
  return db
    .selectFrom('invites as i')
    .leftJoin('users as u', 'u.id', 'i.used_by')
    .select(['i.id', 'i.note', 'i.created_at', 'i.used_at', 'i.seats', 'i.used', 'i.made_by', 'i.code_hash'])
    .select('u.username as used_by')
    .where('i.by_member', '=', 0)
    .$if(below !== undefined, (query) => query.where('i.id', '<', below!))
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute();
}

const latestPosts = prepared<object, { user_id: number } & ShownRow>((db) =>
  db
    .selectFrom('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u')))
    .select(['p.user_id', ...shownColumnsOfU])
    .where(isNotBlocked('u'))
    .orderBy('p.id', 'desc')
    .limit(sql<number>`50`),
);

const writersAtMost = 4;

/** The people who wrote last, for somebody who is invited. */
export async function lastWriters(db: Kysely<Schema>): Promise<Owner[]> {
  const writers = new Map<number, Owner>();
  for (const { user_id: id, ...names } of await latestPosts(db, {}))
    if (writers.size < writersAtMost && !writers.has(id)) writers.set(id, { id: String(id), ...shownNames(names) });
  return [...writers.values()];
}
