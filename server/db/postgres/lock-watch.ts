import pg from 'pg';

/** A query that has been sent and has not ended. */
export interface SentQuery {
  readonly text: string;
  /** The server process that runs it. */
  readonly pid: number | null;
  readonly sentAt: number;
  /** The holders of the lock for which the query waited, when they were last looked up. */
  blockers?: string[];
}

const shownOfText = 300;

/** The message for the log. The text of a query contains names of columns and no values. */
export function whyStopped({ text, sentAt, blockers = [] }: SentQuery): string {
  const seconds = ((performance.now() - sentAt) / 1_000).toFixed(1);
  const shown = text.length > shownOfText ? `${text.slice(0, shownOfText)}…` : text;
  const by = blockers.length > 0 ? `, blocked by ${blockers.join(' and ')}` : '';
  return `PostgreSQL has stopped a query after ${seconds} s${by}: ${shown}`;
}

interface Blocker {
  blocked: number;
  pid: number;
  app: string;
  role: string | null;
  state: string | null;
  seconds: number | null;
}

/** Looks up the holders of locks while queries wait for them: after a query was stopped, PostgreSQL no longer knows the holder. */
export class LockWatch {
  #url: string;
  #queries = new Set<SentQuery>();
  #watching: NodeJS.Timeout;
  #patienceMs: number;
  #isAsking = false;

  constructor(url: string, statementMs: number) {
    this.#url = url;
    this.#patienceMs = statementMs / 4;
    this.#watching = setInterval(() => void this.#look(), this.#patienceMs).unref();
  }

  add(query: SentQuery): void {
    this.#queries.add(query);
  }

  remove(query: SentQuery): void {
    this.#queries.delete(query);
  }

  close(): void {
    clearInterval(this.#watching);
  }

  async #look(): Promise<void> {
    const since = performance.now() - this.#patienceMs;
    const late = [...this.#queries].filter(({ sentAt }) => sentAt < since);
    if (late.length === 0 || this.#isAsking) return;
    this.#isAsking = true;
    try {
      const blockers = await this.#blockersOf(late.flatMap(({ pid }) => pid ?? []));
      for (const query of late) {
        const own = blockers.filter(({ blocked }) => blocked === query.pid);
        if (own.length > 0) query.blockers = own.map(nameOf);
      }
    } catch {
      // The message then does not name the holders.
    } finally {
      this.#isAsking = false;
    }
  }

  /** Uses a connection of its own, because all connections of the pool may be waiting for the same lock. */
  async #blockersOf(pids: number[]): Promise<Blocker[]> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: this.#patienceMs,
      query_timeout: this.#patienceMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<Blocker>(blockersOf, [pids]);
      return rows;
    } finally {
      await client.end();
    }
  }
}

const blockersOf = `
  select waiting.pid as blocked, by.pid, by.application_name as app, by.usename as role, by.state,
    extract(epoch from now() - by.xact_start)::int as seconds
  from unnest($1::int[]) as waiting (pid)
    cross join lateral unnest(pg_blocking_pids(waiting.pid)) as held (pid)
    join pg_stat_activity as by on by.pid = held.pid`;

function nameOf({ pid, app, role, state, seconds }: Blocker): string {
  const known = [app, role, state, seconds === null ? '' : `in a transaction for ${seconds} s`];
  return `process ${pid} (${known.filter(Boolean).join(', ')})`;
}
