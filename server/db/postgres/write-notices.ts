import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { type Changed, type ChangeListener, type WriteIds, withoutPlus, type Tag } from '../database.ts';
import { version } from '../../version.ts';
import type { Schema } from '../schema.ts';
import { LogPositions } from './log-positions.ts';
import { insertNotice, type PollResult, readNotices, removeNotices, Snapshot } from './notice-queries.ts';

/** Shortest time between the beginnings of two polls, however many requests wait for one. */
const pollAtMostEveryMs = 5;
const reconnectMs = 250;
/** Responses are cached while the last poll that succeeded began at most this long ago. */
const patienceMs = 1_000;
const maxTagsLength = 7_500;

interface Poll extends Omit<PollResult, 'tags'> {
  /** The transactions whose rows have been read. */
  shown: Snapshot;
  begunAt: number;
}

interface Times {
  pollMs: number;
  /** How long write notices can be read. */
  retainedMs: number;
  /** Maximum duration of a reading. */
  readingMs: number;
}

/** The sessions of the wall's processes have names that begin like this. A program that changes the tables looks for them. */
export const sessionName = 'stena ';
const processName = `${sessionName}${version}`;

/** Reports the writes of this process and of others. Each write inserts a write notice, a row of `announcements`. */
export class WriteNotices implements WriteIds {
  /** Positions in the log of PostgreSQL after the writes that have been emitted to listeners. */
  readonly positions = new LogPositions();
  #url: string;
  #pollMs: number;
  #retainedMs: number;
  #readingMs: number;
  #listeners: ChangeListener[] = [];
  #onError: (error: Error) => void;
  /** Marks the rows of this process, which its polls leave out. */
  #origin = randomUUID();
  #emitted = 0;
  /** Transactions of this process that have not been read. */
  #own: number[] = [];
  #noted = new AsyncLocalStorage<(writeId: number) => void>();
  #client: pg.Client | undefined;
  #last: Poll | undefined;
  /** The version of the tables at the last poll. */
  tables = 0;
  /** The polls of the last `retainedMs`. Rows that the oldest of them could see may be deleted. */
  #earlier: Poll[] = [];
  #waiting: Array<(isCaughtUp: boolean) => void> = [];
  #isFailing = false;
  #begunAt = 0;
  #wake = (): void => {};
  #closed = false;
  #polling = Promise.resolve();

  constructor(url: string, { pollMs, retainedMs, readingMs }: Times, onError: (error: Error) => void) {
    this.#url = url;
    this.#pollMs = pollMs;
    this.#retainedMs = retainedMs;
    this.#readingMs = readingMs;
    this.#onError = onError;
  }

  /** While false, writes of other processes may be missed. */
  get areRead(): boolean {
    return this.#last !== undefined && performance.now() - this.#last.begunAt < patienceMs;
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  #emit(changed: Changed): void {
    this.#emitted += 1;
    for (const listener of this.#listeners) listener(changed, this.#emitted);
  }

  /** Publishes what a transaction changes. Other processes read the notice when the transaction has committed. */
  async publish(db: Kysely<Schema>, tags: Tag[]): Promise<number> {
    const named = JSON.stringify(tags);
    const [row] = await insertNotice(db, {
      origin: this.#origin,
      tags: named.length > maxTagsLength ? '"everything"' : named,
    });
    return row!.writeId;
  }

  /** Emits the tags of a transaction of this process. */
  committed(writeId: number, tags: readonly Tag[]): void {
    this.#own.push(writeId);
    // While polls fail, cached responses that lack only additions are still sent. But the browser that made this write must see it.
    // So its additions are emitted as changes: responses that lack them are no longer sent.
    this.#emit(this.areRead ? tags : tags.map(withoutPlus));
    this.#noted.getStore()?.(writeId);
  }

  during(work: () => void, noted: (writeId: number) => void): void {
    this.#noted.run(noted, work);
  }

  includes(writeId: number): boolean {
    return this.#last?.shown.contains(writeId) === true || this.#own.includes(writeId);
  }

  /**
   * Emits the tags of a transaction that may still commit. Polls leave out only rows with the present origin, so with a new origin
   * they read the row of this transaction like that of another process, and its tags are emitted again after the commit.
   */
  emitUnknown(tags: readonly Tag[]): void {
    this.#origin = randomUUID();
    this.#emit(tags);
  }

  /** Resolves after the first poll. */
  async open(): Promise<void> {
    await this.#attempt();
    this.#polling = this.#poll();
  }

  /** True when a poll that began after the call has succeeded; false when PostgreSQL does not respond soon. */
  catchUp(): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patienceMs).unref();
      this.#waiting.push((isCaughtUp) => {
        clearTimeout(timer);
        resolve(isCaughtUp);
      });
      // While PostgreSQL is out of reach, attempts are made at short intervals anyway.
      if (!this.#isFailing) this.#wake();
    });
  }

  async #poll(): Promise<void> {
    while (!this.#closed) {
      await this.#pause();
      if (!this.#closed) await this.#attempt();
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (afterMs: number): void => {
        clearTimeout(timer);
        timer = setTimeout(resolve, Math.max(0, this.#begunAt + afterMs - performance.now())).unref();
      };
      if (this.#isFailing) end(reconnectMs);
      else end(this.#waiting.length > 0 ? pollAtMostEveryMs : this.#pollMs);
      this.#wake = () => end(this.#closed ? -Infinity : pollAtMostEveryMs);
    });
  }

  async #attempt(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    this.#begunAt = performance.now();
    try {
      await this.#read(await this.#connected());
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
      this.#lost(this.#client, error as Error);
    }
    for (const done of waiting) done(!this.#isFailing);
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: this.#readingMs,
      query_timeout: this.#readingMs,
      pipeline: true,
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection that reads write notices ended')));
    this.#client = client;
    await client.connect();
    // `announcements` is emptied all the time, so its statistics suggest sequential scans, which are switched off. The planner then
    // estimates very high costs, which would start JIT compilation.
    await client.query(
      `set enable_seqscan = off; set jit = off; set application_name = ${pg.escapeLiteral(processName)}`,
    );
    return client;
  }

  async #read(client: pg.Client): Promise<void> {
    const begunAt = performance.now();
    const emitted = this.#emitted;
    const values = [this.#last?.snapshot ?? null, this.#origin];
    const { rows } = await client.query<PollResult>({ ...readNotices, values });
    // If the connection has ended meanwhile, `#last` is unset. Without it everything would be emitted.
    if (client !== this.#client) throw new Error('the connection that reads write notices ended');
    const { tags, ...result } = rows[0]!;
    const read: Poll = { ...result, shown: new Snapshot(result.snapshot), begunAt };
    if (this.#mayHaveMissed(read)) {
      this.#earlier = [];
      this.#own = [];
      this.#emit('everything');
    } else {
      for (const named of tags) this.#emit(JSON.parse(named) as Tag[] | 'everything');
    }
    this.positions.add(read.log, { lsn: read.log.lsn, upTo: emitted, asOf: begunAt });
    this.#last = read;
    this.tables = read.tables;
    this.#own = this.#own.filter((writeId) => !read.shown.contains(writeId));
    await this.#clean(client, read);
  }

  /**
   * Whether rows may have been removed unread. A crash or fail-over empties the table and ends this session, so `session` changes.
   * Rows are kept only for `retainedMs`.
   */
  #mayHaveMissed({ session, begunAt, clockMs }: Poll): boolean {
    if (session !== this.#last?.session) return true;
    return Math.max(begunAt - this.#last.begunAt, clockMs - this.#last.clockMs) > this.#retainedMs / 2;
  }

  /** Removes rows that could be read for `retainedMs`, measured by a monotonic clock. */
  async #clean(client: pg.Client, read: Poll): Promise<void> {
    if (read.begunAt - (this.#earlier.at(-1)?.begunAt ?? -Infinity) < this.#retainedMs / 6) return;
    this.#earlier.push(read);
    if (read.begunAt - this.#earlier[0]!.begunAt < this.#retainedMs) return;
    await client.query({ ...removeNotices, values: [this.#earlier.shift()!.snapshot] });
  }

  #lost(client: pg.Client | undefined, error: Error): void {
    if (!client || client !== this.#client) return;
    this.#client = undefined;
    this.#last = undefined;
    client.end().catch(() => {});
    if (!this.#closed) this.#onError(error);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#polling;
    const client = this.#client;
    this.#client = undefined;
    this.#last = undefined;
    for (const done of this.#waiting.splice(0)) done(false);
    await client?.end();
  }
}
