import { setImmediate } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/database.ts';
import { heardBy, isPrivate, type News, newsOf, nothing } from './news.ts';
import { type ChangeRow, changesAfter, hasChangesAfter, latestPosition, reachesBackTo } from './store.ts';
import { unreadFor } from './unread-for.ts';

export interface Reader {
  /** Ids of the posts whose replies they want to hear of. */
  watched: readonly string[];
  /** Whose session it is, for what is told to that person alone. */
  viewer: { userId: number; sessionId: number } | undefined;
  send(event: Buffer): void;
  end(): void;
}

/** What happens in such a while is told at once. */
const gatherMs = 250;
const retryMs = 1_000;
const heartbeatMs = 20_000;
/** Whoever is told of more at a time reads the wall anew. */
const toldAtMost = 20_000;
/** Others get their turn between so many readers. */
const readersAtOnce = 100;

const heartbeat = Buffer.from(':\n\n');

/** Tells all readers of this process what is written at any. While nobody listens it asks nothing of the database. */
export class Broadcast {
  #db: Database;
  #log: FastifyBaseLogger;
  #groups = new Map<string, Set<Reader>>();
  /** Up to where all readers have been told; undefined while there are none. */
  #told: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #telling = false;
  #heartbeat: NodeJS.Timeout;

  constructor(db: Database, log: FastifyBaseLogger) {
    this.#db = db;
    this.#log = log;
    db.onChange(() => this.#soon(gatherMs));
    this.#heartbeat = setInterval(() => void this.#sendAll(() => heartbeat), heartbeatMs).unref();
  }

  get readers(): number {
    return this.#readers().length;
  }

  /** Resolves when the reader hears of whatever becomes visible from then on. */
  async add(reader: Reader): Promise<void> {
    const key = reader.watched.join();
    const group = this.#groups.get(key) ?? new Set();
    this.#groups.set(key, group.add(reader));
    this.#told ??= latestPosition(this.#db.read);
    await this.#told;
  }

  remove(reader: Reader): void {
    const key = reader.watched.join();
    const group = this.#groups.get(key);
    group?.delete(reader);
    if (group?.size === 0) this.#groups.delete(key);
    if (this.#groups.size === 0) this.#rest();
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const reader of this.#readers()) reader.end();
    this.#groups.clear();
    this.#rest();
  }

  #readers(): Reader[] {
    return [...this.#groups.values()].flatMap((group) => [...group]);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = undefined;
  }

  #soon(ms: number): void {
    if (this.#told === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#tell();
    }, ms).unref();
  }

  async #tell(): Promise<void> {
    if (this.#telling) return this.#soon(gatherMs);
    this.#telling = true;
    try {
      const position = await this.#tellFrom(await this.#told!);
      // On PostgreSQL what was written last may have to wait for others that began before it.
      if (await hasChangesAfter(this.#db.read, position)) this.#soon(gatherMs);
    } catch (error) {
      this.#log.warn({ err: error }, 'could not read what has changed');
      this.#soon(retryMs);
    } finally {
      this.#telling = false;
    }
  }

  async #tellFrom(position: number): Promise<number> {
    const rows = await this.#changesAfter(position);
    if (rows?.length === 0) return position;
    const news: News = rows
      ? await newsOf(this.#db.read, rows)
      : { ...nothing, reset: true, position: await latestPosition(this.#db.read) };
    const unread = await unreadFor(this.#db.read, this.#readers(), news);
    // Only now: a query that failed leaves all of it to be told.
    if (this.#told !== undefined) this.#told = Promise.resolve(news.position);
    for (const [reader, count] of unread) reader.send(toEvent(reader.watched, news, count));
    if (!isPrivate(news)) await this.#sendAll((watched) => toEvent(watched, news), unread);
    return news.position;
  }

  /** What is to be told; undefined when readers must read the wall anew. */
  async #changesAfter(position: number): Promise<ChangeRow[] | undefined> {
    const rows = await changesAfter(this.#db.read, position, toldAtMost);
    if (!rows?.length || this.#db.engine === 'sqlite') return rows;
    // PostgreSQL empties the log when it has crashed: what was not told yet went with it.
    return (await reachesBackTo(this.#db.read, position)) ? rows : undefined;
  }

  async #sendAll(eventFor: (watched: readonly string[]) => Buffer, but?: ReadonlyMap<Reader, unknown>): Promise<void> {
    let sent = 0;
    for (const group of this.#groups.values()) {
      let event: Buffer | undefined;
      for (const reader of group) {
        if (but?.has(reader)) continue;
        reader.send((event ??= eventFor(reader.watched)));
        sent += 1;
        if (sent % readersAtOnce === 0) await setImmediate();
      }
    }
  }
}

export function toEvent(watched: readonly string[], news: News, unread?: number): Buffer {
  return Buffer.from(`id: ${news.position}\ndata: ${JSON.stringify(heardBy(watched, news, unread))}\n\n`);
}
