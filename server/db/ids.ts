import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * The number behind an id of the contract, which is opaque text to clients. Undefined for a malformed id, and for a number that
 * a double cannot hold exactly: no post or person has such an id.
 */
export function parseId(id: string): number | undefined {
  const number = /^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

const tables = { users: 'users', posts: 'all_posts' };

/** Reserves `count` consecutive ids and resolves to the first. Rows that are written afterwards get higher ids. */
export function reserveIds({ db, engine }: Tx, of: keyof typeof tables, count: number): Promise<number> {
  return (engine === 'sqlite' ? reserveOnSqlite : reserveOnPostgres)(db, tables[of], count);
}

async function reserveOnSqlite(db: Tx['db'], table: string, count: number): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    update sqlite_sequence set seq = seq + ${count} where name = ${table} returning seq`.execute(db);
  if (rows[0]) return rows[0].seq - count + 1;
  // The table has no row in `sqlite_sequence` until its first insert.
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${count})`.execute(db);
  return 1;
}

async function reserveOnPostgres(db: Tx['db'], table: string, count: number): Promise<number> {
  // Sequences are not transactional, so the lock keeps other transactions from inserting in between.
  if (count > 1) await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db);
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')`;
  const { rows } = await sql<{ first: number }>`select nextval(${sequence}) as first`.execute(db);
  const { first } = rows[0]!;
  if (count > 1) await sql`select setval(${sequence}, ${first + count - 1})`.execute(db);
  return first;
}
