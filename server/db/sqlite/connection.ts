import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { runAtOnce } from '../prepared.ts';
import { currentWaits } from '../../waits.ts';
import type { Schema } from '../schema.ts';

const cachedStatements = 500;

type Prepare = (sql: string) => SqliteStatement;

/** Converts an error of node:sqlite into an error that both engines have. */
export type Explained = (error: unknown) => unknown;

/** Returns a function that prepares each statement of a connection once and caches it. */
export function statementsOf(database: DatabaseSync, explained: Explained): Prepare {
  const attempt = attempts(explained);
  const statements = new Map<string, SqliteStatement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = adapt(
        attempt(() => database.prepare(sql)),
        explained,
      );
      if (statements.size >= cachedStatements) statements.delete(statements.keys().next().value!);
      statements.set(sql, statement);
    }
    return statement;
  };
}

/** Kysely over node:sqlite. All statements run synchronously. */
export function kyselyOver(prepare: Prepare): Kysely<Schema> {
  // `close` does nothing: the caller that opened the connection closes it.
  const database: SqliteDatabase = { prepare, close: () => {} };
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  runAtOnce(db, (sql, parameters) => {
    const statement = prepare(sql);
    if (statement.reader) return statement.all(parameters);
    statement.run(parameters);
    return [];
  });
  return db;
}

function adapt(statement: StatementSync, explained: Explained): SqliteStatement {
  const attempt = attempts(explained);
  const names = statement.columns().map(({ name }) => name);
  // Row objects of node:sqlite are slow to create and to read.
  statement.setReturnArrays(true);
  // The id of the last row may be above 2^53 after the full-text index has written, and `run` would throw.
  if (names.length === 0) statement.setReadBigInts(true);
  const toRow = rowMaker(names);
  return {
    reader: names.length > 0,
    // Written out, because functions around this call take a twentieth of a short request.
    all: (parameters) => {
      const waits = currentWaits();
      const began = waits ? performance.now() : 0;
      try {
        return statement.all(...(parameters as SQLInputValue[])).map(toRow);
      } catch (error) {
        throw explained(error);
      } finally {
        if (waits) waits.storage += performance.now() - began;
      }
    },
    run: (parameters) => attempt(() => statement.run(...(parameters as SQLInputValue[]))),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])).map(toRow),
  };
}

type ToRow = (values: unknown) => Record<string, SQLOutputValue>;

/** Generated code with the names of the columns makes row objects ten times as fast as a loop over the names. */
function rowMaker(names: readonly string[]): ToRow {
  const fields = names.map((name, i) => `${JSON.stringify(name)}: values[${i}]`);
  // oxlint-disable-next-line typescript/no-implied-eval -- the names are those of our own queries, quoted
  return new Function('values', `return { ${fields.join(', ')} };`) as ToRow;
}

function attempts(explained: Explained) {
  return <T>(call: () => T): T => {
    try {
      return call();
    } catch (error) {
      throw explained(error);
    }
  };
}
