import type { Database, Tag } from '../db/database.ts';
import type { Answer } from './answer.ts';

/** A built answer and everything whose change makes it wrong; without that it is not held. */
export interface Built<Kind extends Answer = Answer> {
  answer: Kind;
  tags: readonly Tag[] | undefined;
}

interface Held<Kind> {
  answer: Kind;
  tags: readonly Tag[];
  /** The last write up to which it is known to be right. */
  rightAt: number;
  expiresAt: number;
}

interface Build<Kind> {
  promise: Promise<Kind | undefined>;
  begunAt: number;
}

const capacityBytes = 12 * 1024 * 1024;
/** What an entry costs beside its bytes. */
const overheadBytes = 1_024;
/** So many are remembered of the tags written and of the keys asked for once. */
const remembered = 5_000;

/**
 * Public answers as ready bytes, from the second time they are asked for until what they show is written. The longest
 * unused go first.
 */
export class Memory<Kind extends Answer = Answer> {
  /** Of `get`. */
  hits = 0;
  misses = 0;
  #held = new Map<string, Held<Kind>>();
  #builds = new Map<string, Build<Kind>>();
  #askedOnce = new Set<string>();
  /** Writes are numbered; what was read between two of them is right until the next that touches it. */
  #writes = 0;
  #writtenAt = new Map<Tag, number>();
  #everythingWrittenAt = 0;
  #bytes = 0;
  #db: Database;

  constructor(db: Database) {
    this.#db = db;
    db.onChange((tags) => this.#note(tags));
  }

  get(key: string): Kind | undefined {
    const held = this.#held.get(key);
    if (!held || !this.#isRight(held) || held.expiresAt < performance.now()) {
      if (held) this.#forget(key, held);
      this.misses += 1;
      return undefined;
    }
    this.#held.delete(key);
    this.#held.set(key, held);
    this.hits += 1;
    return held.answer;
  }

  get entries(): number {
    return this.#held.size;
  }

  /** Roughly what they take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Builds an answer, and holds it if it was asked for before. */
  build(key: string, make: () => Promise<Built<Kind> | undefined>, maxAgeMs = Infinity): Promise<Kind | undefined> {
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
    make: () => Promise<Built<Kind> | undefined>,
    maxAgeMs: number,
  ): Promise<Kind | undefined> {
    try {
      const built = await make();
      if (built?.tags && this.#isWorthHolding(key)) {
        this.#hold(key, {
          answer: built.answer,
          tags: built.tags,
          rightAt: build.begunAt,
          expiresAt: performance.now() + maxAgeMs,
        });
      }
      return built?.answer;
    } finally {
      if (this.#builds.get(key) === build) this.#builds.delete(key);
    }
  }

  #isRight(held: Held<Kind>): boolean {
    if (!this.#db.hearsOthers || held.rightAt < this.#everythingWrittenAt) return false;
    if (held.rightAt === this.#writes) return true;
    for (const tag of held.tags) if ((this.#writtenAt.get(tag) ?? 0) > held.rightAt) return false;
    held.rightAt = this.#writes;
    return true;
  }

  #isWorthHolding(key: string): boolean {
    if (this.#askedOnce.has(key)) return true;
    if (this.#askedOnce.size >= remembered) this.#askedOnce.clear();
    this.#askedOnce.add(key);
    return false;
  }

  #hold(key: string, held: Held<Kind>): void {
    const before = this.#held.get(key);
    if (before) this.#forget(key, before);
    if (!this.#isRight(held)) return;
    this.#held.set(key, held);
    this.#bytes += held.answer.bytes + overheadBytes;
    for (const [oldest, entry] of this.#held) {
      if (this.#bytes <= capacityBytes) break;
      this.#forget(oldest, entry);
    }
  }

  #forget(key: string, held: Held<Kind>): void {
    this.#held.delete(key);
    this.#bytes -= held.answer.bytes + overheadBytes;
  }

  #note(tags: readonly Tag[] | 'everything'): void {
    this.#writes += 1;
    if (tags === 'everything' || this.#writtenAt.size >= remembered) {
      this.#everythingWrittenAt = this.#writes;
      this.#writtenAt.clear();
      this.#held.clear();
      this.#bytes = 0;
      return;
    }
    for (const tag of tags) this.#writtenAt.set(tag, this.#writes);
  }
}
