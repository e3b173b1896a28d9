import { setImmediate } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database, Tag } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { logFailure } from '../db/write-outage.ts';
import { type ChangesByPerson, OwnChanges } from './own-changes.ts';
import {
  changesFor,
  isEmpty,
  type WallChanges,
  wallChangesOf,
  noChanges,
  type OwnPart,
  repliesFor,
} from './wall-changes.ts';
import { StreamEvent } from './stream-event.ts';
import { type ChangeRow, changesAfter, latestPosition, newestStoredPosition, reachesBackTo } from './change-log.ts';

/** An open event stream. */
export interface Subscriber {
  /** Ids of posts. The subscriber gets new replies to these posts and, for root posts, all new replies in their threads. */
  watched: readonly string[];
  /** The signed-in person, for events that only this person gets. */
  viewer: ({ userId: number } & ({ sessionId: number } | { tokenId: number })) | undefined;
  send(event: StreamEvent): void;
  end(): void;
}

/** Reads the current personal parts of events, for people who have changes. Other subscribers are left out. */
export type ReadOwn = (
  db: Kysely<Schema>,
  subscribers: Iterable<Subscriber>,
  changes: ChangesByPerson,
) => Promise<Map<Subscriber, OwnPart>>;

/** Finds the subscribers that may not read the wall any more. */
export type Outsiders = (db: Kysely<Schema>, subscribers: readonly Subscriber[]) => Promise<readonly Subscriber[]>;

/** Changes within this time are sent as one event. */
const gatherMs = 250;
const retryMs = 1_000;
const heartbeatMs = 20_000;
/** After more changes than this at once, subscribers get a reset. */
const maxChanges = 20_000;
/** After this much work in one turn of the event loop, the process handles other requests. */
const turnMs = 3;

const heartbeat = new StreamEvent(':\n\n');

/** Sends the writes of all processes to the subscribers of this one. Makes no queries while there are none. */
export class Broadcast {
  #db: Database;
  #log: FastifyBaseLogger;
  #readOwn: ReadOwn;
  #outsiders: Outsiders;
  #own = new OwnChanges();
  #groups = new Map<string, Set<Subscriber>>();
  /** Position up to which all subscribers have got the changes; undefined while there are no subscribers. */
  #sentUpTo: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sending = false;
  #heartbeat: NodeJS.Timeout;

  constructor(db: Database, log: FastifyBaseLogger, readOwn: ReadOwn, outsiders: Outsiders = async () => []) {
    this.#db = db;
    this.#log = log;
    this.#readOwn = readOwn;
    this.#outsiders = outsiders;
    db.onChange((tags) => this.#changed(tags));
    this.#heartbeat = setInterval(() => void this.#sendAll(() => heartbeat), heartbeatMs).unref();
  }

  get readers(): number {
    return this.#subscribers().length;
  }

  /** Resolves when the subscriber gets every change that becomes visible from then on. */
  async add(subscriber: Subscriber): Promise<void> {
    const key = subscriber.watched.join();
    const group = this.#groups.get(key) ?? new Set();
    this.#groups.set(key, group.add(subscriber));
    const position = (this.#sentUpTo ??= latestPosition(this.#db.read));
    try {
      await position;
    } catch (error) {
      // The next subscriber reads the position again. The present ones get the error and are removed with their requests.
      if (this.#sentUpTo === position) this.#pause();
      throw error;
    }
  }

  remove(subscriber: Subscriber): void {
    const key = subscriber.watched.join();
    const group = this.#groups.get(key);
    group?.delete(subscriber);
    if (group?.size === 0) this.#groups.delete(key);
    if (this.#groups.size === 0) this.#pause();
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const subscriber of this.#subscribers()) subscriber.end();
    this.#groups.clear();
    this.#pause();
  }

  #changed(tags: readonly Tag[] | 'everything'): void {
    if (this.#sentUpTo === undefined) return;
    if (tags === 'everything') this.#own.noteAll(this.#subscribers());
    else this.#own.note(tags);
    this.#sendLater(gatherMs);
  }

  #subscribers(): Subscriber[] {
    return [...this.#groups.values()].flatMap((group) => [...group]);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sentUpTo = undefined;
    this.#own.take();
  }

  #sendLater(ms: number): void {
    if (this.#sentUpTo === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#sendNew();
    }, ms).unref();
  }

  async #sendNew(): Promise<void> {
    if (this.#sending) return this.#sendLater(gatherMs);
    this.#sending = true;
    try {
      const position = await this.#sendFrom(await this.#sentUpTo!);
      // On PostgreSQL the newest changes stay invisible until earlier transactions have ended.
      if ((await newestStoredPosition(this.#db.read)) > position) this.#sendLater(gatherMs);
    } catch (error) {
      logFailure({ log: this.#log, db: this.#db }, { err: error }, 'could not read the changes to send');
      this.#sendLater(retryMs);
    } finally {
      this.#sending = false;
    }
  }

  /** Sends the changes after a position, and to each person the changes for this person alone. */
  async #sendFrom(position: number): Promise<number> {
    const changed = this.#own.take();
    try {
      const changes = await this.#wallChangesAfter(position);
      for (const outsider of await this.#outsiders(this.#db.read, this.#subscribers())) {
        outsider.end();
        this.remove(outsider);
      }
      const own = await this.#readOwn(this.#db.read, this.#subscribers(), changed);
      // Set after the queries: when one fails, the same changes are sent again.
      if (this.#sentUpTo !== undefined) this.#sentUpTo = Promise.resolve(changes.position);
      const next = inTurns();
      for (const [subscriber, part] of own) {
        await next();
        subscriber.send(new StreamEvent(toEvent(subscriber.watched, changes, part)));
      }
      if (!isEmpty(changes)) await this.#sendAll(eventsOf(changes), own);
      return changes.position;
    } catch (error) {
      this.#own.putBack(changed);
      throw error;
    }
  }

  async #wallChangesAfter(position: number): Promise<WallChanges> {
    const rows = await this.#changesAfter(position);
    if (!rows) return { ...noChanges, reset: true, position: await latestPosition(this.#db.read) };
    return rows.length === 0 ? { ...noChanges, position } : wallChangesOf(this.#db.read, rows);
  }

  /** The changes to send; undefined when subscribers must reload. */
  async #changesAfter(position: number): Promise<ChangeRow[] | undefined> {
    const rows = await changesAfter(this.#db.read, position, maxChanges);
    if (!rows || this.#db.engine === 'sqlite') return rows;
    // After a fail-over to a standby that was behind, or a move to another server, changes that were not sent yet may be lost. Then
    // subscribers must reload.
    const { read } = this.#db;
    const isSameLog =
      rows.length > 0 ? await reachesBackTo(read, position) : (await newestStoredPosition(read)) >= position;
    return isSameLog ? rows : undefined;
  }

  async #sendAll(
    eventFor: (watched: readonly string[]) => StreamEvent,
    except?: ReadonlyMap<Subscriber, unknown>,
  ): Promise<void> {
    const next = inTurns();
    for (const group of this.#groups.values()) {
      let event: StreamEvent | undefined;
      for (const subscriber of group) {
        if (except?.has(subscriber)) continue;
        await next();
        subscriber.send((event ??= eventFor(subscriber.watched)));
      }
    }
  }
}

/** Returns a function to await before each part of work: once a turn of the event loop has taken `turnMs`, it waits for the next turn. */
export function inTurns(): () => Promise<void> | undefined {
  let began = performance.now();
  const nextTurn = async (): Promise<void> => {
    await setImmediate();
    began = performance.now();
  };
  return () => (performance.now() - began < turnMs ? undefined : nextTurn());
}

/** Makes the event of each group of subscribers. Groups without replies share one event. */
function eventsOf(changes: WallChanges): (watched: readonly string[]) => StreamEvent {
  let shared: StreamEvent | undefined;
  return (watched) => {
    if (repliesFor(watched, changes).length > 0) return new StreamEvent(toEvent(watched, changes));
    return (shared ??= new StreamEvent(toEvent([], changes)));
  };
}

export const toEvent = (watched: readonly string[], changes: WallChanges, own?: OwnPart): string =>
  `id: ${changes.position}\ndata: ${JSON.stringify(changesFor(watched, changes, own))}\n\n`;
