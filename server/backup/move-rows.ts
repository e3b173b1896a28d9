import { DatabaseSync } from 'node:sqlite';
import type { Client } from 'pg';
import { Refusal } from '../admin/refusal.ts';

const rowsAtOnce = 5_000;

/** What PostgreSQL has of its own: its migrations, and a log of changes that counts otherwise. */
const left = new Set(['migrations', 'changes', 'backup', 'sqlite_sequence']);

/** Moves all rows of a wall on SQLite into the empty tables of a wall on PostgreSQL: all of them, or none. */
export async function moveRows(file: string, client: Client): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    await client.query('begin');
    for (const table of tablesOf(source)) await moveTable(source, client, table);
    await goOnCounting(source, client);
    await client.query('commit');
  } finally {
    source.close();
  }
}

/** In the order in which they were made, so that what others refer to is there first. */
function tablesOf(source: DatabaseSync): string[] {
  const rows = source.prepare("select name from sqlite_schema where type = 'table' order by rowid").all();
  return rows.map(({ name }) => String(name)).filter((name) => !left.has(name));
}

async function moveTable(source: DatabaseSync, client: Client, table: string): Promise<void> {
  let moved = 0;
  for (const rows of inParts(source.prepare(`select * from "${table}"`).iterate())) {
    // The columns go by name; their types are the table's.
    await client.query(
      `insert into "${table}" overriding system value select * from json_populate_recordset(null::"${table}", $1)`,
      [JSON.stringify(rows)],
    );
    moved += rows.length;
  }
  const { rows } = await client.query<{ n: string }>(`select count(*) as n from "${table}"`);
  if (Number(rows[0]!.n) !== moved) throw new Refusal(`Таблица ${table} перенесена не целиком: перенос отменён.`);
}

/** An id that was given once is never given again, whether its row is still there or not. */
async function goOnCounting(source: DatabaseSync, client: Client): Promise<void> {
  for (const { name, seq } of source.prepare('select name, seq from sqlite_sequence where seq > 0').all()) {
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [name, seq]);
  }
}

function* inParts<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let part: Row[] = [];
  for (const row of rows) {
    part.push(row);
    if (part.length < rowsAtOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
