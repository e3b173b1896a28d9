import { DatabaseSync } from 'node:sqlite';
import type { Client } from 'pg';
import { CommandError } from '../admin/command-error.ts';

const batchSize = 5_000;

/**
 * Tables that are not moved: PostgreSQL has its own migrations, its change log numbers positions differently, and the server
 * builds the index of the search there.
 */
const skipped = new Set(['migrations', 'changes', 'backup', 'sqlite_sequence', 'search_index']);
const isSkipped = (table: string): boolean => skipped.has(table) || table.startsWith('post_words');

/** Copies all rows from SQLite into empty PostgreSQL tables, in a transaction of the caller. */
export async function moveRows(file: string, client: Client, interrupted?: AbortSignal): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    for (const table of tablesOf(source)) await moveTable(source, client, table, interrupted);
    await continueSequences(source, client);
    // Makes the job of the server index the posts.
    await client.query('delete from search_index');
  } finally {
    source.close();
  }
}

/** In the order of creation, so that referenced tables come first. */
function tablesOf(source: DatabaseSync): string[] {
  const rows = source.prepare("select name from sqlite_schema where type = 'table' order by rowid").all();
  return rows.map(({ name }) => String(name)).filter((name) => !isSkipped(name));
}

async function moveTable(
  source: DatabaseSync,
  client: Client,
  table: string,
  interrupted?: AbortSignal,
): Promise<void> {
  let moved = 0;
  for (const rows of inBatches(source.prepare(`select * from "${table}"`).iterate())) {
    interrupted?.throwIfAborted();
    // Columns are matched by name and take the types of the table.
    await client.query(
      `insert into "${table}" overriding system value select * from json_populate_recordset(null::"${table}", $1)`,
      [JSON.stringify(rows)],
    );
    moved += rows.length;
  }
  const { rows } = await client.query<{ n: string }>(`select count(*) as n from "${table}"`);
  if (Number(rows[0]!.n) !== moved) throw new CommandError(`Таблица ${table} перенесена не целиком: перенос отменён.`);
}

/** Continues the sequences, so that ids of deleted rows are not reused. */
async function continueSequences(source: DatabaseSync, client: Client): Promise<void> {
  for (const { name, seq } of source.prepare('select name, seq from sqlite_sequence where seq > 0').all()) {
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [name, seq]);
  }
}

function* inBatches<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
