import type { Database, Tx } from '../../db/database.ts';
import type { Secrets } from '../../secrets.ts';
import { isUnclaimed } from './claims.ts';
import type { Outcome } from './journal.ts';
import type { Person } from './block-acts.ts';
import { actAppointOwner, hasOwner, lockOwners } from './roles.ts';

const validSeconds = 24 * 3_600;

/**
 * The code of a link that makes its reader the first owner; undefined once somebody has come. Imported people have not. Nothing
 * is stored: the code is a time with a signature, so that every process accepts what another one has printed.
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

/** Whether a code was printed by this wall and is not too old. It is valid while there is no owner. */
export function isOwnerCode(secrets: Secrets, code: string, now: number): boolean {
  const [, expiresAt, signature] = /^(\d{1,11})\.([\w-]{43})$/.exec(code) ?? [];
  if (expiresAt === undefined || signature === undefined) return false;
  return Number(expiresAt) > now && secrets.isSignature(signature, 'owner link', expiresAt);
}

/** Makes a person the first owner; refuses when there is one, also one of a moment ago. */
export async function actBecomeOwner(tx: Tx, person: Person, at: number): Promise<Outcome> {
  await lockOwners(tx);
  if (await hasOwner(tx.db)) return { refused: 'missing' };
  const reason = 'По ссылке, которую стена напечатала при запуске';
  return actAppointOwner(tx, person.id, { at, operator: person.username, moderatorId: person.id, reason });
}
