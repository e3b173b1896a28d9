import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import type { Schema } from '../schema.ts';
import { asUnavailable } from './sqlite-errors.ts';

const cachedStatements = 500;

/** What Kysely asks of a SQLite driver, over node:sqlite, each statement prepared once. */
export function kyselyOver(database: DatabaseSync): Kysely<Schema> {
  const statements = new Map<string, SqliteStatement>();

  const adapter: SqliteDatabase = {
    close: () => database.close(),
    prepare(sql) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = adapt(attempt(() => database.prepare(sql)));
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
    all: (parameters) => attempt(() => statement.all(...(parameters as SQLInputValue[]))),
    run: (parameters) => attempt(() => statement.run(...(parameters as SQLInputValue[]))),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw asUnavailable(error);
  }
}
