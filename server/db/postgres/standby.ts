import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Replica, type ReplicaVitals, StandbyLeftOut, StorageUnavailable } from '../database.ts';
import type { Schema } from '../schema.ts';
import { setUp } from './connect.ts';
import type { LogIdentity, LogPositions } from './log-positions.ts';
import { pipelinedPool } from './pipelined-pool.ts';

/** The standbys of DATABASE_READ_URL, used in turn. */
export class Replicas {
  #standbys: Standby[];
  #next = 0;

  constructor(urls: readonly string[], positions: LogPositions, onError: (error: Error) => void) {
    this.#standbys = urls.map((url) => new Standby(url, positions, onError));
  }

  pick(isPrimaryAway: boolean): Replica | undefined {
    for (const _ of this.#standbys) {
      this.#next = (this.#next + 1) % this.#standbys.length;
      const found = this.#standbys[this.#next]!.usable(isPrimaryAway);
      if (found) return found;
    }
    return undefined;
  }

  vitals(): ReplicaVitals[] {
    return this.#standbys.map((standby) => {
      const found = standby.usable();
      const lagSeconds = found && (performance.now() - found.asOf) / 1_000;
      return { name: standby.name, isUsed: found !== undefined, lagSeconds };
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#standbys.map((standby) => standby.close()));
  }
}

const poolSize = 10;
const lookMs = 100;
/** A standby that has not responded within this time is left out. */
const patienceMs = 500;
const connectionMs = 3_000;
const retryMs = 500;

/** The state that a standby reports. */
interface State extends LogIdentity {
  isStandby: boolean;
  /** Place in the log up to which it has replayed, bytes. */
  replayed: number;
  started: string;
}

/**
 * PostgreSQL does not report the timeline that it replays. Each of these timelines has been reached, so the highest counts. The
 * second one needs the role pg_read_all_stats and a primary; the others are updated late after a fail-over.
 */
const look = `
  select pg_is_in_recovery() as "isStandby",
    (pg_last_wal_replay_lsn() - '0/0')::bigint as replayed,
    (pg_control_system()).system_identifier::text as system,
    lpad(upper(to_hex(greatest(
      (pg_control_checkpoint()).timeline_id,
      (select received_tli from pg_stat_wal_receiver),
      (pg_control_recovery()).min_recovery_end_timeline
    ))), 8, '0') as timeline,
    pg_postmaster_start_time()::text as started
`;

/** One standby. It is watched all the time, and used while it responds. */
export class Standby {
  readonly name: string;
  #url: string;
  #positions: LogPositions;
  #onError: (error: Error) => void;
  #closed = new AbortController();
  #watching: Promise<void>;
  #state: State | undefined;
  /** The last reported state, which stays while the standby is left out. */
  #newest: State | undefined;
  /** Why the standby is left out. The same reason is not reported twice in a row. */
  #reason: string | undefined;
  #pool: pg.Pool | undefined;
  #sockets = new Set<Socket>();
  /** Ends the reads that are running. */
  #abandon = new Set<(error: Error) => void>();
  #read: Kysely<Schema>;

  constructor(url: string, positions: LogPositions, onError: (error: Error) => void) {
    const { host, port } = new pg.Client(url);
    this.name = `${host}:${port}`;
    this.#url = url;
    this.#positions = positions;
    this.#onError = onError;
    const connect = async () => {
      if (!this.#pool) throw new StorageUnavailable(`The standby ${this.name} is left out`);
      return pipelinedPool(this.#pool).connect();
    };
    this.#read = new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: { options: {}, connect, end: async () => {} } }),
    });
    this.#closed.signal.addEventListener('abort', () => this.#cut());
    this.#watching = this.#watch();
  }

  /** The standby, if it may be used now. While the primary is away, it may already follow the primary that replaces it. */
  usable(isPrimaryAway = false): Replica | undefined {
    const state = this.#state;
    if (!state || !(isPrimaryAway ? this.#positions.leadTo(state) : this.#positions.isOf(state))) return undefined;
    const reached = this.#positions.reachedBy(state.replayed);
    return reached && { upTo: reached.upTo, asOf: reached.asOf, run: (work) => this.#run(work) };
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#watching;
    await this.#read.destroy();
  }

  async #run<T>(work: (read: Kysely<Schema>) => Promise<T>): Promise<T> {
    const { promise: abandoned, reject } = Promise.withResolvers<never>();
    this.#abandon.add(reject);
    try {
      return await Promise.race([work(this.#read), abandoned]);
    } finally {
      this.#abandon.delete(reject);
    }
  }

  async #watch(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      try {
        await this.#poll();
      } catch (error) {
        if (!this.#closed.signal.aborted) this.#report(error as Error);
      }
      this.#leaveOut();
      await this.#pause(retryMs);
    }
  }

  /** Reads the state of the standby again and again, until there is an error. */
  async #poll(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: connectionMs,
      query_timeout: patienceMs,
      stream: this.#openSocket,
    });
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => {});
    client.on('error', reject);
    client.on('end', () => reject(new Error('the connection ended')));
    await client.connect();
    while (!this.#closed.signal.aborted) {
      const { rows } = await client.query<State>(look);
      this.#accept(rows[0]!);
      await Promise.race([this.#pause(lookMs), lost]);
    }
  }

  #accept(state: State): void {
    if (this.#positions.isForeign(state)) throw new Error('it belongs to another PostgreSQL than DATABASE_URL');
    if (!state.isStandby) throw new Error('it is the primary now');
    // Without a primary, PostgreSQL reports an older timeline than the one it replays. Only a restart really leads to an older one,
    // so the newest reported timeline is used until a restart.
    const { started, timeline } = this.#newest ?? state;
    if (started === state.started && timeline > state.timeline) state.timeline = timeline;
    this.#newest = state;
    this.#state = state;
    this.#reason = undefined;
    this.#pool ??= this.#openPool(state.started);
  }

  /** An address may lead to several servers. Only connections to the watched server are used. */
  #openPool(started: string): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.#url,
      max: poolSize,
      connectionTimeoutMillis: connectionMs,
      keepAlive: true,
      pipeline: true,
      stream: this.#openSocket,
      onConnect: async (client) => {
        const serverOf = 'select pg_postmaster_start_time()::text as started where pg_is_in_recovery()';
        const [, { rows }] = await Promise.all([setUp(client), client.query<{ started: string }>(serverOf)]);
        if (rows[0]?.started !== started) throw new Error('The address leads to several servers');
      },
    });
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  #leaveOut(): void {
    this.#state = undefined;
    const pool = this.#pool;
    this.#pool = undefined;
    for (const abandon of this.#abandon) abandon(new StorageUnavailable(`The standby ${this.name} does not answer`));
    // The pool would wait for responses that may never come.
    this.#cut();
    pool?.end().catch(() => {});
  }

  #openSocket = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  };

  /** Ends all connections without waiting for the server. */
  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #report({ message }: Error): void {
    if (message === this.#reason) return;
    this.#reason = message;
    this.#onError(new StandbyLeftOut(`DATABASE_READ_URL: ${this.name} is not read from: ${message}`));
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closed.signal, ref: false }).catch(() => {});
  }
}
