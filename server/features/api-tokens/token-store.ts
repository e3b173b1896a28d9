import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { idleSeconds, isUseStale, type Scope } from './token-rules.ts';

/** The owner of a token. A blocked person's tokens stay, so that responses can give the reason. */
export interface TokenOwner {
  user_id: number;
  blocked_at: number | null;
  block_reason: string | null;
  blocked_until: number | null;
}

export interface FoundToken extends TokenOwner {
  id: number;
  scope: Scope;
  last_used_at: number | null;
}

const tokenByHash = prepared<{ hash: string; now: number }, FoundToken>((db, slot) =>
  db
    .selectFrom('program_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.user_id', 't.scope', 't.last_used_at', 'u.blocked_at', 'u.block_reason', 'u.blocked_until'])
    .where('t.token_hash', '=', slot('hash'))
    .where('t.expires_at', '>', slot('now')),
);

/** Runs at every call of a program: tokens are not cached, so an ended token is refused everywhere at once. */
export async function findToken(db: Kysely<Schema>, hash: string, now: number): Promise<FoundToken | undefined> {
  const [token] = await tokenByHash(db, { hash, now });
  return token;
}

const ownerOfToken = prepared<{ id: number }, TokenOwner>((db, slot) =>
  db
    .selectFrom('program_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.user_id', 'u.blocked_at', 'u.block_reason', 'u.blocked_until'])
    .where('t.id', '=', slot('id')),
);

/** The owner of a token that has not been ended. */
export async function findTokenOwner(db: Kysely<Schema>, id: number): Promise<TokenOwner | undefined> {
  const [owner] = await ownerOfToken(db, { id });
  return owner;
}

/** Never sets an earlier end: otherwise tokens used while the clock was behind would end when it is corrected. */
export async function recordUse({ db }: Tx, id: number, now: number): Promise<void> {
  const row = await db
    .selectFrom('program_tokens')
    .select(['last_used_at', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || !isUseStale(row.last_used_at, now)) return;
  const expiresAt = Math.max(row.expires_at, now + idleSeconds);
  await db
    .updateTable('program_tokens')
    .set({ last_used_at: now, expires_at: expiresAt })
    .where('id', '=', id)
    .execute();
}

interface NewToken {
  userId: number;
  hash: string;
  name: string;
  scope: Scope;
  now: number;
}

/** Resolves to the id. The caller has locked the account and checked `hasAllTokens`. */
export async function addToken({ db }: Tx, { userId, hash, name, scope, now }: NewToken): Promise<number> {
  const { id } = await db
    .insertInto('program_tokens')
    .values({ user_id: userId, token_hash: hash, name, scope, created_at: now, expires_at: now + idleSeconds })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether the person has as many tokens as allowed. */
export async function hasAllTokens(db: Kysely<Schema>, userId: number, now: number): Promise<boolean> {
  return (await listTokensOf(db, userId, now)).length >= limits.tokens;
}

/** Tokens that have not ended, the latest first. */
export function listTokensOf(db: Kysely<Schema>, userId: number, now: number) {
  return db
    .selectFrom('program_tokens')
    .select(['id', 'name', 'scope', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute();
}

/** False when the person has no such token. */
export async function endTokenOf({ db }: Tx, userId: number, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('program_tokens')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Resolves to the number of ended tokens. */
export async function endAllTokensOf({ db }: Tx, userId: number): Promise<number> {
  const ended = await db.deleteFrom('program_tokens').where('user_id', '=', userId).returning('id').execute();
  return ended.length;
}
