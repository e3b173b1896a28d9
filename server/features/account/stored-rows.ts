import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StoredData } from '#contract/account.ts';
import type { Schema } from '../../db/schema.ts';

/** Which rows of a table belong to a person. */
export interface RowsQuery {
  in: keyof Schema;
  /** The column with the person; `user_id` unless set. */
  whose?: string;
  /** The value of the person in that column; `id` unless set. */
  by?: 'id' | 'email';
  /** The column with the time that is shown. */
  at?: string;
  /** The indexed column that is ordered like `at` and used to find its first and last value; `at` unless set. */
  order?: string;
  only?: RawBuilder<unknown>;
  /** The exported columns, separated by spaces. Not set if the export has a section of its own for these rows. */
  columns?: string;
}

export type StoredWords = Pick<StoredData, 'title' | 'about' | 'kept_until'>;

export type Person = Record<'id' | 'email', number | string>;

const whoseRows = ({ in: table, whose = 'user_id', by = 'id', only }: RowsQuery, person: Person) =>
  sql`from ${sql.table(table)} where ${sql.ref(whose)} = ${person[by]}${only === undefined ? sql`` : sql` and ${only}`}`;

type Counted = Pick<StoredData, 'count' | 'first_at' | 'last_at'>;

export async function countRows(db: Kysely<Schema>, rows: RowsQuery | undefined, person: Person): Promise<Counted> {
  if (rows === undefined) return { count: null, first_at: null, last_at: null };
  const { at, order = at } = rows;
  const theirs = whoseRows(rows, person);
  const edge = (way: 'asc' | 'desc') =>
    at === undefined
      ? sql`null`
      : sql`(select ${sql.ref(at)} ${theirs} order by ${sql.ref(order!)} ${sql.raw(way)} limit 1)`;
  const counted = sql<Counted>`select (select count(*) ${theirs}) as count, ${edge('asc')} as first_at, ${edge('desc')} as last_at`;
  return (await counted.execute(db)).rows[0]!;
}

export async function readRows(
  db: Kysely<Schema>,
  rows: RowsQuery,
  columns: string,
  person: Person,
): Promise<Record<string, unknown>[]> {
  const named = sql.join(columns.split(' ').map((column) => sql.ref(column)));
  const found = await sql<Record<string, unknown>>`select ${named} ${whoseRows(rows, person)}`.execute(db);
  return found.rows;
}
