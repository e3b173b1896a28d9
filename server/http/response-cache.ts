import { type Database, isPersonalTag, type Tag } from '../db/database.ts';
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
  expiresAt: number;
}

interface Build<Kind> {
  promise: Promise<Kind | undefined>;
  begunAt: number;
}

const capacityBytes = 12 * 1024 * 1024;
/** Estimated size of an entry without its body. */
const overheadBytes = 1_024;
/** Maximum number of tags, and of keys requested once, that are tracked. */
const maxTracked = 5_000;

/**
 * Public responses, cached from the second request for a key until a write touches one of their tags. The least recently
 * used are evicted first.
 */
export class ResponseCache<Kind extends ReadyResponse = ReadyResponse> {
  hits = 0;
  misses = 0;
  #entries = new Map<string, Entry<Kind>>();
  #builds = new Map<string, Build<Kind>>();
  #requestedOnce = new Set<string>();
  /** Writes are numbered: data read between two writes stays valid until the next write that touches it. */
  #writes = 0;
  #writtenAt = new Map<Tag, number>();
  #everythingWrittenAt = 0;
  #bytes = 0;
  #db: Database;

  constructor(db: Database) {
    this.#db = db;
    db.onChange((tags) => this.#invalidate(tags));
  }

  get(key: string): Kind | undefined {
    const entry = this.#entries.get(key);
    if (!entry || !this.#isValid(entry) || entry.expiresAt < performance.now()) {
      if (entry) this.#remove(key, entry);
      this.misses += 1;
      return undefined;
    }
    // A map iterates in the order of insertion: this makes the entry the most recently used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
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
    maxAgeMs = Infinity,
  ): Promise<Kind | undefined> {
    const running = this.#builds.get(key);
    if (running?.begunAt === this.#writes) return running.promise;
    const build: Build<Kind> = { begunAt: this.#writes, promise: Promise.resolve(undefined) };
    build.promise = this.#run(key, build, make, maxAgeMs);
    this.#builds.set(key, build);
    return build.promise;
  }

  async #run(
    key: string,
    build: Build<Kind>,
    make: () => Promise<BuiltResponse<Kind> | undefined>,
    maxAgeMs: number,
  ): Promise<Kind | undefined> {
    try {
      const built = await make();
      if (built && this.#wasRequestedBefore(key)) {
        const { response, tags } = built;
        if (tags) this.#add(key, { response, tags, validAt: build.begunAt, expiresAt: performance.now() + maxAgeMs });
      }
      return built?.response;
    } finally {
      if (this.#builds.get(key) === build) this.#builds.delete(key);
    }
  }

  #isValid(entry: Entry<Kind>): boolean {
    if (!this.#db.receivesForeignWrites || entry.validAt < this.#everythingWrittenAt) return false;
    if (entry.validAt === this.#writes) return true;
    for (const tag of entry.tags) if ((this.#writtenAt.get(tag) ?? 0) > entry.validAt) return false;
    entry.validAt = this.#writes;
    return true;
  }

  #wasRequestedBefore(key: string): boolean {
    if (this.#requestedOnce.has(key)) return true;
    if (this.#requestedOnce.size >= maxTracked) this.#requestedOnce.clear();
    this.#requestedOnce.add(key);
    return false;
  }

  #add(key: string, entry: Entry<Kind>): void {
    const previous = this.#entries.get(key);
    if (previous) this.#remove(key, previous);
    if (!this.#isValid(entry)) return;
    this.#entries.set(key, entry);
    this.#bytes += entry.response.bytes + overheadBytes;
    for (const [oldestKey, oldest] of this.#entries) {
      if (this.#bytes <= capacityBytes) break;
      this.#remove(oldestKey, oldest);
    }
  }

  #remove(key: string, entry: Entry<Kind>): void {
    this.#entries.delete(key);
    this.#bytes -= entry.response.bytes + overheadBytes;
  }

  #invalidate(tags: readonly Tag[] | 'everything'): void {
    const written = tags === 'everything' ? tags : tags.filter((tag) => !isPersonalTag(tag));
    if (written.length === 0) return;
    this.#writes += 1;
    if (written === 'everything' || this.#writtenAt.size >= maxTracked) {
      this.#everythingWrittenAt = this.#writes;
      this.#writtenAt.clear();
      this.#entries.clear();
      this.#bytes = 0;
      return;
    }
    for (const tag of written) this.#writtenAt.set(tag, this.#writes);
  }
}
