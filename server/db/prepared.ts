import type { CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const names = new Map<string, string>();

/** Name of a prepared query on PostgreSQL. Undefined for queries built at run time, whose number is unlimited. */
export const preparedName = (sql: string): string | undefined => names.get(sql);

type Run = (sql: string, parameters: unknown[]) => unknown[] | Promise<unknown[]>;

/**
 * Functions that run prepared queries without Kysely's executor. On SQLite the executor would take as much time as the query; in
 * a transaction on PostgreSQL it would wait for the result of one query before it sends the next.
 */
const atOnce = new WeakMap<Kysely<Schema>, Run>();

export function runAtOnce(db: Kysely<Schema>, run: Run): void {
  atOnce.set(db, run);
}

/**
 * A query that is compiled once per Kysely instance and runs with named parameters. Building a query takes as much time as
 * running it. `slot('name')` can be used wherever a value can. Kysely keeps the type of the rows in `execute` alone, so the compiler
 * compares `Row` with that of `execute`, which is never called.
 */
export function prepared<Params extends object, Row>(
  build: (
    db: Kysely<Schema>,
    slot: <Name extends keyof Params & string>(name: Name) => Params[Name],
  ) => { compile(): CompiledQuery<Row>; execute?(): Promise<[Row] extends [never] ? unknown : Row[]> },
): (db: Kysely<Schema>, params: Params) => Promise<Row[]> {
  const compiled = new WeakMap<object, Compiled<Row>>();

  return async (db, params) => {
    const { adapter } = db.getExecutor();
    let found = compiled.get(adapter);
    if (!found) {
      found = withSlots(build(db, (name) => new Slot(name) as unknown as Params[typeof name]).compile());
      compiled.set(adapter, found);
      if (!names.has(found.query.sql)) names.set(found.query.sql, `prepared_${names.size}`);
    }
    const { query, slots } = found;
    const parameters = [...query.parameters];
    for (const { at, name } of slots) parameters[at] = params[name as keyof Params];
    const run = atOnce.get(db);
    if (run) return run(query.sql, parameters) as Row[];
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}

/**
 * A prepared query about a list of values. It is compiled for these sizes of the list, in rising order. A shorter list is filled up
 * with a repeated value, a longer one is read in parts.
 */
export function preparedAmong<Value, Row, Params extends object = object>(
  sizes: readonly number[],
  build: (
    db: Kysely<Schema>,
    values: Value[],
    slot: <Name extends keyof Params & string>(name: Name) => Params[Name],
  ) => { compile(): CompiledQuery<Row>; execute?(): Promise<[Row] extends [never] ? unknown : Row[]> },
): (db: Kysely<Schema>, values: readonly Value[], params?: Params) => Promise<Row[]> {
  type All = Params & Record<string, Value>;
  const queries = sizes.map((size) => {
    const places = Array.from({ length: size }, (_, i) => `value${i}`);
    const run = prepared<All, Row>((db, slot) =>
      build(
        db,
        places.map((place) => slot(place)),
        slot,
      ),
    );
    return { places, run };
  });

  return async (db, values, params) => {
    const found: Row[] = [];
    for (let from = 0, size = 0; from < values.length; from += size) {
      const { places, run } = queries.find((query) => query.places.length >= values.length - from) ?? queries.at(-1)!;
      size = places.length;
      const all = { ...params } as Record<string, unknown>;
      for (let i = 0; i < size; i += 1) all[places[i]!] = values[from + i] ?? values[from];
      found.push(...(await run(db, all as All)));
    }
    return found;
  };
}

interface Compiled<Row> {
  query: CompiledQuery<Row>;
  /** The parameters that each run sets. */
  slots: ReadonlyArray<{ at: number; name: string }>;
}

function withSlots<Row>(query: CompiledQuery<Row>): Compiled<Row> {
  const slots = query.parameters.flatMap((value, at) => (value instanceof Slot ? [{ at, name: value.name }] : []));
  return { query, slots };
}
