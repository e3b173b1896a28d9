import { type Database, isPersonalTag, subjectOf, type Tag } from '../db/database.ts';
import type { ReadyResponse } from './response.ts';

/** A new response and the tags whose writes invalidate it; without tags it is not cached. */
export interface BuiltResponse<Kind extends ReadyResponse = ReadyResponse> {
  response: Kind;
  tags: readonly Tag[] | undefined;
}

interface Entry<Kind> {
  response: Kind;
  tags: readonly Tag[];
  /** Number of the last write up to which the entry is known to be valid. */
  validAt: number;
  /** When its content was read at the earliest, ms. */
  readAt: number;
  expiresAt: number;
  /** Whether it has been sent since it was added or last kept at an eviction. */
  isUsed: boolean;
}

/** The numbers of the last writes that touched a tag: any, and one that did more than add. */
interface LastWrites {
  at: number;
  replacedAt: number;
}

interface Build<Kind> {
  promise: Promise<Kind | undefined>;
  begunAt: number;
  readAt: number;
}

const capacityBytes = 12 * 1024 * 1024;
/** Estimated size of an entry without its body. */
const overheadBytes = 1_024;
/** Maximum number of tags, and of keys requested once, that are tracked. */
const maxTracked = 5_000;

/**
 * Public responses, cached from the second request for a key until a write touches one of their tags. When the cache is
 * full, the oldest are evicted; one that has been used is kept until it is the oldest again. A caller that allows it also
 * gets a response that lacks only what was added in the last `lagMs`.
 */
export class ResponseCache<Kind extends ReadyResponse = ReadyResponse> {
  hits = 0;
  misses = 0;
  #entries = new Map<string, Entry<Kind>>();
  #builds = new Map<string, Build<Kind>>();
  #requestedOnce = new Set<string>();
  /** Writes are numbered: data read between two writes stays valid until the next write that touches it. */
  #writes = 0;
  /** In the order of `at`. */
  #writtenTo = new Map<Tag, LastWrites>();
  #replacedAt = 0;
  #everythingWrittenAt = 0;
  #bytes = 0;
  #db: Database;

  constructor(db: Database) {
    this.#db = db;
    db.onChange((tags) => this.#invalidate(tags));
  }

  get(key: string, lagMs = 0): Kind | undefined {
    const found = this.find(key, lagMs);
    if (found) return found;
    const entry = this.#entries.get(key);
    if (entry) this.#remove(key, entry);
    this.misses += 1;
    return undefined;
  }

  /** Like `get`, but does not count a miss and leaves an outdated entry in place. */
  find(key: string, lagMs = 0): Kind | undefined {
    const entry = this.#entries.get(key);
    const now = performance.now();
    if (!entry || entry.expiresAt < now || !(this.#isValid(entry) || this.#lags(entry, now - lagMs))) return undefined;
    entry.isUsed = true;
    this.hits += 1;
    return entry.response;
  }

  get entries(): number {
    return this.#entries.size;
  }

  /** An estimate. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Builds a response, once for concurrent requests, and caches it if its key was requested before. */
  build(
    key: string,
    make: () => Promise<BuiltResponse<Kind> | undefined>,
    { maxAgeMs = Infinity, lagMs = 0 } = {},
  ): Promise<Kind | undefined> {
    const running = this.#builds.get(key);
    const now = performance.now();
    if (running && this.#mayJoin(running, now - lagMs)) return running.promise;
    const build: Build<Kind> = { begunAt: this.#writes, readAt: now, promise: Promise.resolve(undefined) };
    build.promise = this.#run(key, build, make, { maxAgeMs, lagMs });
    this.#builds.set(key, build);
    return build.promise;
  }

  #mayJoin({ begunAt, readAt }: Build<Kind>, since: number): boolean {
    if (begunAt === this.#writes) return true;
    return this.#db.receivesForeignWrites && begunAt >= this.#replacedAt && readAt > since;
  }

  async #run(
    key: string,
    build: Build<Kind>,
    make: () => Promise<BuiltResponse<Kind> | undefined>,
    { maxAgeMs, lagMs }: { maxAgeMs: number; lagMs: number },
  ): Promise<Kind | undefined> {
    try {
      const built = await make();
      if (built && this.#wasRequestedBefore(key)) {
        const { response, tags } = built;
        const { begunAt: validAt, readAt } = build;
        const now = performance.now();
        if (tags)
          this.#add(key, { response, tags, validAt, readAt, expiresAt: now + maxAgeMs, isUsed: false }, now - lagMs);
      }
      return built?.response;
    } finally {
      if (this.#builds.get(key) === build) this.#builds.delete(key);
    }
  }

  #isValid(entry: Entry<Kind>): boolean {
    if (!this.#db.receivesForeignWrites || entry.validAt < this.#everythingWrittenAt) return false;
    if (entry.validAt === this.#writes) return true;
    for (const tag of entry.tags) if ((this.#writtenTo.get(tag)?.at ?? 0) > entry.validAt) return false;
    entry.validAt = this.#writes;
    return true;
  }

  /** Whether the entry was read after `since` and lacks only what was added. */
  #lags({ readAt, validAt, tags }: Entry<Kind>, since: number): boolean {
    if (readAt <= since || !this.#db.receivesForeignWrites || validAt < this.#everythingWrittenAt) return false;
    return validAt >= this.#replacedAt || !tags.some((tag) => (this.#writtenTo.get(tag)?.replacedAt ?? 0) > validAt);
  }

  #wasRequestedBefore(key: string): boolean {
    if (this.#requestedOnce.has(key)) return true;
    if (this.#requestedOnce.size >= maxTracked) this.#requestedOnce.clear();
    this.#requestedOnce.add(key);
    return false;
  }

  #add(key: string, entry: Entry<Kind>, since: number): void {
    const previous = this.#entries.get(key);
    if (previous) this.#remove(key, previous);
    if (!this.#isValid(entry) && !this.#lags(entry, since)) return;
    this.#entries.set(key, entry);
    this.#bytes += entry.response.bytes + overheadBytes;
    for (const [oldestKey, oldest] of this.#entries) {
      if (this.#bytes <= capacityBytes) break;
      if (oldest.isUsed) this.#keep(oldestKey, oldest);
      else this.#remove(oldestKey, oldest);
    }
  }

  /** Makes an entry the newest. Doing this at each use would take several microseconds with thousands of entries. */
  #keep(key: string, entry: Entry<Kind>): void {
    entry.isUsed = false;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  #remove(key: string, entry: Entry<Kind>): void {
    this.#entries.delete(key);
    this.#bytes -= entry.response.bytes + overheadBytes;
  }

  #invalidate(tags: readonly Tag[] | 'everything'): void {
    const written = tags === 'everything' ? tags : tags.filter((tag) => !isPersonalTag(tag));
    if (written.length === 0) return;
    this.#writes += 1;
    if (written === 'everything') {
      this.#everythingWrittenAt = this.#replacedAt = this.#writes;
      this.#writtenTo.clear();
      this.#entries.clear();
      this.#bytes = 0;
      return;
    }
    for (const tag of written) this.#note(subjectOf(tag), tag.startsWith('+'));
  }

  #note(tag: Tag, isAdding: boolean): void {
    const at = this.#writes;
    if (!isAdding) this.#replacedAt = at;
    const replacedAt = isAdding ? (this.#writtenTo.get(tag)?.replacedAt ?? 0) : at;
    this.#writtenTo.delete(tag);
    this.#writtenTo.set(tag, { at, replacedAt });
    if (this.#writtenTo.size <= maxTracked) return;
    // What has not been checked since the oldest tracked write may have been changed by it.
    for (const [oldest, forgotten] of this.#writtenTo) {
      this.#writtenTo.delete(oldest);
      this.#everythingWrittenAt = forgotten.at;
      break;
    }
  }
}
