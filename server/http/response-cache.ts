import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import {
  type Changed,
  type Database,
  isPersonalTag,
  StorageUnavailable,
  withoutPlus,
  type Tag,
} from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { waited } from '../waits.ts';
import { ApiError } from './thrown-api-error.ts';
import type { ReadyResponse } from './response.ts';

/** How current the content of a response is. */
interface Age {
  /** Number of the last write up to which the content is known to be valid. */
  validAt: number;
  /** The earliest time at which the content was read, in milliseconds. */
  readAt: number;
}

/** The tags on which a response depends, and the write up to which it is known to be valid. */
interface Dated extends Pick<Age, 'validAt'> {
  tags: readonly Tag[];
}

/** Numbers of the last writes that touched a tag: `at` of any write, `replacedAt` of a write that did more than add. */
interface LastWrites {
  at: number;
  replacedAt: number;
}

/** Maximum number of tags that are tracked. */
const maxTracked = 5_000;

/** Remembers which write touched which tag last, to determine what a response lacks. */
class WrittenTags {
  /** The number of the last write: data read between two writes stays valid until the next write that touches it. */
  last = 0;
  /** The number of the last write that did more than add. */
  replacedAt = 0;
  /** In the order of `at`. */
  #writtenTo = new Map<Tag, LastWrites>();
  #everythingWrittenAt = 0;

  add(changed: Changed, number: number): void {
    const written = changed === 'everything' ? changed : changed.filter((tag) => !isPersonalTag(tag));
    if (written.length === 0) return;
    this.last = number;
    if (written === 'everything') {
      this.#everythingWrittenAt = this.replacedAt = number;
      this.#writtenTo.clear();
      return;
    }
    for (const tag of written) this.#note(withoutPlus(tag), tag.startsWith('+'));
  }

  /** Whether the response shows every write so far. If so, it is marked as valid up to the last write. */
  isCurrent(content: Dated): boolean {
    if (content.validAt < this.#everythingWrittenAt) return false;
    if (content.validAt >= this.last) return true;
    for (const tag of content.tags) if ((this.#writtenTo.get(tag)?.at ?? 0) > content.validAt) return false;
    content.validAt = this.last;
    return true;
  }

  /** Whether the response lacks only additions: no missing write has changed or removed anything in it. */
  onlyAddedTo({ validAt, tags }: Dated): boolean {
    if (validAt < this.#everythingWrittenAt) return false;
    return validAt >= this.replacedAt || !tags.some((tag) => (this.#writtenTo.get(tag)?.replacedAt ?? 0) > validAt);
  }

  #note(tag: Tag, isAdding: boolean): void {
    const at = this.last;
    if (!isAdding) this.replacedAt = at;
    const replacedAt = isAdding ? (this.#writtenTo.get(tag)?.replacedAt ?? 0) : at;
    this.#writtenTo.delete(tag);
    this.#writtenTo.set(tag, { at, replacedAt });
    if (this.#writtenTo.size <= maxTracked) return;
    // Forgets the tag that was written longest ago. A response that was last checked before that write counts as outdated.
    for (const [oldest, forgotten] of this.#writtenTo) {
      this.#writtenTo.delete(oldest);
      this.#everythingWrittenAt = forgotten.at;
      break;
    }
  }
}

/** When a read takes longer, the storage may have stopped responding, and the read is tried again. */
const retryPatienceMs = 500;
const againMs = 100;

const away = (): StorageUnavailable => new StorageUnavailable('The storage does not respond');

/**
 * Reads from the storage. When that fails with StorageUnavailable but `catchUp`, the query for the writes of other processes,
 * succeeds, the storage is back and the read is repeated once.
 */
async function readWithRetry<T>(
  db: Pick<Database, 'engine' | 'receivesForeignWrites' | 'catchUp'>,
  read: () => Promise<T>,
): Promise<T> {
  // SQLite runs in this process and always responds.
  if (db.engine === 'sqlite') return read();
  if (!db.receivesForeignWrites && !(await db.catchUp())) throw away();
  try {
    return await unlessSilent(db, read());
  } catch (error) {
    if (!(error instanceof StorageUnavailable) || !(await db.catchUp())) throw error;
    return await unlessSilent(db, read());
  }
}

/** Reads from the storage, or from `elsewhere` while it is away, and tries again until `withinMs` has passed. */
async function withPatience<T>(
  db: Pick<Database, 'engine' | 'receivesForeignWrites' | 'catchUp'>,
  withinMs: number,
  read: () => Promise<T>,
  elsewhere: () => Promise<T>,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(away()), withinMs);
  let isOver = false;
  const orElse =
    <Else>(other: () => Promise<Else>) =>
    (error: unknown): Promise<Else> => {
      if (error instanceof StorageUnavailable && !isOver) return other();
      throw error;
    };
  const again = async (): Promise<T> => {
    await sleep(againMs);
    return readWithRetry(db, read).catch(orElse(elsewhere)).catch(orElse(again));
  };
  try {
    return await Promise.race([read().catch(orElse(() => late)), again(), late]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

async function unlessSilent<T>(db: Pick<Database, 'catchUp'>, reading: Promise<T>): Promise<T> {
  const { promise: silent, reject } = Promise.withResolvers<never>();
  const watch = setInterval(() => {
    db.catchUp().then((isReachable) => isReachable || reject(away()), reject);
  }, retryPatienceMs);
  try {
    return await Promise.race([reading, silent]);
  } finally {
    clearInterval(watch);
  }
}

/** A new response and the tags on which it depends. Without tags it is not cached. */
export interface BuiltResponse<Kind extends ReadyResponse = ReadyResponse> {
  response: Kind;
  tags: readonly Tag[] | undefined;
}

/** Reads from the given database and makes a response; resolves to undefined if there is nothing to show. */
type Make<Kind extends ReadyResponse> = (read: Kysely<Schema>) => Promise<BuiltResponse<Kind> | undefined>;

interface Made<Kind extends ReadyResponse> extends Age {
  built: BuiltResponse<Kind> | undefined;
}

interface Entry<Kind> extends Age, Dated {
  response: Kind;
  expiresAt: number;
  /** Whether the entry has been sent since it was added or since an eviction last passed it over. */
  isUsed: boolean;
}

interface Build<Kind> {
  promise: Promise<Kind | undefined>;
  begunAt: number;
  readAt: number;
}

const capacityBytes = 12 * 1024 * 1024;
/** Estimated size of an entry without its body. */
const overheadBytes = 1_024;
/** How long a request waits for a primary that is away or has to be replaced. Browsers wait 10 s. */
const patienceMs = 9_000;
/** Longer keys are neither cached nor remembered: no link has such an address, but clients may send up to 16 KB. */
const maxKeyLength = 512;
/** Maximum size of `#requestedOnce`. */
const maxRequestedOnce = 5_000;

/**
 * Public responses, cached from the second request for a key until a write touches one of their tags. When the cache is full,
 * the oldest entries are evicted; an entry that has been used stays until it is the oldest again. With `lagMs`, a caller also
 * gets a response that lacks only additions of the last `lagMs`. A response is made from a replica if the replica lacks no write
 * to its tags. While the primary is unavailable, cached responses of any age are sent, unless a known write has changed or
 * removed something in them.
 */
export class ResponseCache<Kind extends ReadyResponse = ReadyResponse> {
  hits = 0;
  misses = 0;
  #entries = new Map<string, Entry<Kind>>();
  #builds = new Map<string, Build<Kind>>();
  #requestedOnce = new Set<string>();
  #written = new WrittenTags();
  #bytes = 0;
  #db: Database;

  constructor(db: Database) {
    this.#db = db;
    db.onChange((changed, number) => this.#invalidate(changed, number));
  }

  get(key: string, lagMs = 0): Kind | undefined {
    const found = this.find(key, lagMs);
    if (!found) this.misses += 1;
    return found;
  }

  /** Like `get`, but does not count a miss. */
  find(key: string, lagMs = 0): Kind | undefined {
    const entry = this.#entries.get(key);
    const now = performance.now();
    if (!entry || entry.expiresAt < now || !(this.#isValid(entry) || this.#lags(entry, now - lagMs))) return undefined;
    entry.isUsed = true;
    this.hits += 1;
    return entry.response;
  }

  /** Whether there is a cached response, current or outdated. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Whether one more request costs little: the response is being made, is cached, or comes from memory while the primary is away. */
  isCheap(key: string): boolean {
    return this.#entries.has(key) || this.#builds.has(key) || !this.#db.receivesForeignWrites;
  }

  get entries(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Builds a response, once for concurrent requests, and caches it if its key was requested before. `primaryOnly`: `make` must not
   * run twice, so no replica is tried first.
   */
  build(
    key: string,
    make: Make<Kind>,
    { maxAgeMs = Infinity, lagMs = 0, primaryOnly = false } = {},
  ): Promise<Kind | undefined> {
    const running = this.#builds.get(key);
    const now = performance.now();
    if (running && this.#mayJoin(running, now - lagMs)) return waited('sameResponse', () => running.promise);
    const build: Build<Kind> = { begunAt: this.#written.last, readAt: now, promise: Promise.resolve(undefined) };
    build.promise = this.#run(key, build, make, { maxAgeMs, primaryOnly });
    this.#builds.set(key, build);
    return build.promise;
  }

  #mayJoin({ begunAt, readAt }: Build<Kind>, since: number): boolean {
    // While the primary is away, each request must find out anew whether it is back.
    if (!this.#db.receivesForeignWrites) return false;
    return begunAt === this.#written.last || (begunAt >= this.#written.replacedAt && readAt > since);
  }

  async #run(
    key: string,
    build: Build<Kind>,
    make: Make<Kind>,
    { maxAgeMs, primaryOnly }: { maxAgeMs: number; primaryOnly: boolean },
  ): Promise<Kind | undefined> {
    try {
      const made =
        (primaryOnly ? undefined : await this.#fromReplica(key, make)) ?? (await this.#fromPrimary(build, make));
      const { built, validAt, readAt } = made;
      if (built && this.#wasRequestedBefore(key)) {
        const { response, tags } = built;
        const now = performance.now();
        if (tags) this.#add(key, { response, tags, validAt, readAt, expiresAt: now + maxAgeMs, isUsed: false });
      }
      return built?.response;
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || this.#db.engine === 'sqlite') throw error;
      const fromElsewhere = () => this.#whileAway(key, make);
      return fromElsewhere().catch(() =>
        withPatience(
          this.#db,
          build.readAt + patienceMs - performance.now(),
          async () => (await make(this.#db.read))?.response,
          fromElsewhere,
        ),
      );
    } finally {
      if (this.#builds.get(key) === build) this.#builds.delete(key);
    }
  }

  /** Undefined when there is no replica, or it lacks a write on which the response depends. */
  async #fromReplica(key: string, make: Make<Kind>): Promise<Made<Kind> | undefined> {
    const replica = this.#db.receivesForeignWrites ? this.#db.replica() : undefined;
    if (!replica) return undefined;
    const { upTo: validAt, asOf: readAt } = replica;
    const before = this.#entries.get(key);
    if (before && !this.#isValid({ validAt, tags: before.tags })) return undefined;
    try {
      const built = await replica.run(make);
      const isValid =
        this.#hasAll(validAt) || (built?.tags !== undefined && this.#isValid({ validAt, tags: built.tags }));
      return isValid ? { built, validAt, readAt } : undefined;
    } catch (error) {
      // A replica may not find a row that is too new for it. Then its error does not count, and the primary is asked.
      if (error instanceof ApiError && this.#hasAll(validAt)) throw error;
      return undefined;
    }
  }

  async #fromPrimary({ begunAt: validAt, readAt }: Build<Kind>, make: Make<Kind>): Promise<Made<Kind>> {
    return { built: await readWithRetry(this.#db, () => make(this.#db.read)), validAt, readAt };
  }

  /** Resolves to a response from the cache or a replica; rejects with StorageUnavailable when neither has one. */
  async #whileAway(key: string, make: Make<Kind>): Promise<Kind> {
    if (!this.#db.receivesForeignWrites) {
      const entry = this.#entries.get(key);
      if (entry && this.#written.onlyAddedTo(entry)) return entry.response;
      const replica = this.#db.replica();
      const built = await replica?.run(make).catch(() => undefined);
      if (replica && built && this.#isFit({ validAt: replica.upTo, tags: built.tags })) return built.response;
    }
    throw new StorageUnavailable('Nothing can be given without the primary');
  }

  #isFit({ validAt, tags }: { validAt: number; tags: readonly Tag[] | undefined }): boolean {
    return validAt >= this.#written.last || (tags !== undefined && this.#written.onlyAddedTo({ validAt, tags }));
  }

  #hasAll(validAt: number): boolean {
    return this.#db.receivesForeignWrites && validAt >= this.#written.last;
  }

  #isValid(content: Dated): boolean {
    return this.#db.receivesForeignWrites && this.#written.isCurrent(content);
  }

  /** Whether the entry was read after `since` and lacks only additions. */
  #lags(entry: Entry<Kind>, since: number): boolean {
    return entry.readAt > since && this.#db.receivesForeignWrites && this.#written.onlyAddedTo(entry);
  }

  #wasRequestedBefore(key: string): boolean {
    if (key.length > maxKeyLength) return false;
    if (this.#requestedOnce.has(key)) return true;
    if (this.#requestedOnce.size >= maxRequestedOnce) this.#requestedOnce.clear();
    this.#requestedOnce.add(key);
    return false;
  }

  #add(key: string, entry: Entry<Kind>): void {
    const previous = this.#entries.get(key);
    if (previous) this.#remove(key, previous);
    // An entry that lacks only additions is kept, because it can be sent while the primary is away.
    if (!this.#isValid(entry) && !this.#written.onlyAddedTo(entry)) return;
    entry.response.retain();
    this.#entries.set(key, entry);
    this.#bytes += entry.response.bytes + overheadBytes;
    for (const [oldestKey, oldest] of this.#entries) {
      if (this.#bytes <= capacityBytes) break;
      if (oldest.isUsed) this.#retain(oldestKey, oldest);
      else this.#remove(oldestKey, oldest);
    }
  }

  /** Makes an entry the newest. Doing this at each use would take several microseconds with thousands of entries. */
  #retain(key: string, entry: Entry<Kind>): void {
    entry.isUsed = false;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  #remove(key: string, entry: Entry<Kind>): void {
    this.#entries.delete(key);
    this.#bytes -= entry.response.bytes + overheadBytes;
  }

  #invalidate(changed: Changed, number: number): void {
    this.#written.add(changed, number);
    if (changed !== 'everything') return;
    this.#entries.clear();
    this.#bytes = 0;
  }
}
