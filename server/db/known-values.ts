import type { Kysely } from 'kysely';
import type { Tx } from './database.ts';
import type { Schema } from './schema.ts';

/** The values of a column in the memory of the process, so that most posts need no query for those whom they concern. */
export interface KnownValues<Value> {
  /**
   * Undefined where several processes write. The set may contain values that are no longer in the column, but never lacks one,
   * because `add` is called before the commit.
   */
  of(tx: Tx): Promise<ReadonlySet<Value> | undefined>;
  add(tx: Tx, value: Value): void;
}

export function knownValues<Value>(name: string, read: (db: Kysely<Schema>) => Promise<Value[]>): KnownValues<Value> {
  const known = ({ derived }: Tx) => derived?.get(name) as Set<Value> | undefined;
  return {
    async of(tx) {
      if (tx.derived && !tx.derived.has(name)) tx.derived.set(name, new Set(await read(tx.db)));
      return known(tx);
    },
    add(tx, value) {
      known(tx)?.add(value);
    },
  };
}
