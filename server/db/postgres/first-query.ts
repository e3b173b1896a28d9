import pg from 'pg';

/** What pg's types leave out. */
interface Wire {
  bind(message: { statement: string }): void;
  execute(message: object): void;
}

interface Sendable {
  prepare(connection: Wire): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}

type Done = (error: Error | undefined, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (query: pg.QueryConfig & { queryMode: 'extended' }, done: Done) => Sendable;

const begin = { name: 'begin', text: 'begin' };

/** Prepares a new connection for `FirstQuery`. */
export async function prepareBegin(client: pg.ClientBase): Promise<void> {
  await Promise.all([client.query(begin), client.query('rollback')]);
}

/**
 * Begins a transaction in the same message as its first query: PostgreSQL skips the query when it cannot begin. Sent as a
 * message of its own and not awaited, a failed `begin` would leave the queries behind it outside of any transaction.
 */
class FirstQuery extends Query {
  #begun = false;

  override prepare(connection: Wire): void {
    connection.bind({ statement: begin.name });
    connection.execute({});
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#begun) super.handleCommandComplete(message, connection);
    this.#begun = true;
  }
}

/** Begins a transaction with its first query. */
export function queryFirst(client: pg.ClientBase, query: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const first = new FirstQuery({ ...query, queryMode: 'extended' }, (error, result) =>
      error ? reject(error) : resolve(result),
    );
    client.query(first as unknown as pg.Submittable);
  });
}
