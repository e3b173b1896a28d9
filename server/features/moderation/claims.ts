import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { shownColumns } from '../../names/shown-names.ts';
import type { Secrets } from '../../secrets.ts';
import { recordAct } from './journal.ts';

// Unclaimed accounts were imported with their posts. In place of an e-mail address they have a value that is not an address, so
// they get no letters and nobody can sign in to them. A link with a code gives the account to the person who opens it. The code is
// derived from the id and the secret and is stored nowhere; it is used up when the account has an address.

export const importedEmail = (id: number): string => `imported ${id}`;

/** `users` is the name or alias of the table in the query. */
export const isUnclaimed = (users: 'users' | 'u') => sql<SqlBool>`${sql.ref(`${users}.email`)} like 'imported %'`;

const meaning = (id: number): string => `claim ${id}`;

export const claimCode = (secrets: Secrets, id: number): string => `${id}-${secrets.sign('claim', meaning(id))}`;

/** The id of the account that the code is for; undefined for an invalid code. */
export function claimedBy(secrets: Secrets, code: string): number | undefined {
  const [, digits, signature] = /^(\d{1,15})-([\w-]{43})$/.exec(code) ?? [];
  const id = Number(digits);
  return signature !== undefined && secrets.isSignature(signature, 'claim', meaning(id)) ? id : undefined;
}

/** Locks an unclaimed account, so that it is given once. Resolves to its name; undefined when it is missing or claimed. */
export async function lockUnclaimed({ db }: Tx, id: number): Promise<string | undefined> {
  const locked = await db
    .updateTable('users')
    .set((eb) => ({ email: eb.ref('email') }))
    .where('id', '=', id)
    .where('email', '=', importedEmail(id))
    .where(isNotDeleted('users'))
    .returning('username')
    .executeTakeFirst();
  return locked?.username;
}

interface Claimant {
  email: string;
  at: number;
  /** The name of the account that ends with the claim. */
  from?: string;
}

/** Gives a locked account to the owner of an address. Throws AlreadyTaken when another account has the address. */
export async function giveAccount(tx: Tx, id: number, { email, at, from }: Claimant): Promise<void> {
  const { username } = await tx.db
    .updateTable('users')
    .set({ email })
    .where('id', '=', id)
    .returning('username')
    .executeTakeFirstOrThrow();
  tx.touch(`user:${id}`);
  const by = { at, operator: username, moderatorId: id, reason: '' };
  const details = from === undefined ? {} : { details: { from } };
  await recordAct(tx, by, { action: 'claim', target: username, targetId: id, ...details });
}

export function findClaim(db: Kysely<Schema>, id: number) {
  return db
    .selectFrom('users')
    .select([...shownColumns, 'posts_count', 'replies_count', isUnclaimed('users').as('is_unclaimed')])
    .where('id', '=', id)
    .where(isNotDeleted('users'))
    .executeTakeFirst();
}
