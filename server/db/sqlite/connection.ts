import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import type { Schema } from '../schema.ts';

const cachedStatements = 500;

/** What Kysely asks of a SQLite driver, over node:sqlite, each statement prepared once. */
export function kyselyOver(database: DatabaseSync): Kysely<Schema> {
  const statements = new Map<string, SqliteStatement>();

  const adapter: SqliteDatabase = {
    close: () => database.close(),
    prepare(sql) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = adapt(database.prepare(sql));
        if (statements.size >= cachedStatements) statements.delete(statements.keys().next().value!);
        statements.set(sql, statement);
      }
      return statement;
    },
  };
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: adapter }) });
}

function adapt(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}

/** SQLite's primary result code of an error of node:sqlite, if it is one. */
export function sqliteCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

export const SQLITE_BUSY = 5;
export const SQLITE_IOERR = 10;
export const SQLITE_FULL = 13;
