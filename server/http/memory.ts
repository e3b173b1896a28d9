import type { Database, Tag } from '../db/database.ts';
import type { Answer } from './answer.ts';

/** A built answer and everything whose change makes it wrong; without that it is not held. */
export interface Built {
  answer: Answer;
  tags: readonly Tag[] | undefined;
}

interface Held {
  answer: Answer;
  tags: Set<Tag>;
  expiresAt: number;
}

interface Build {
  promise: Promise<Answer | undefined>;
  /** What was written while it ran: it may or may not have seen that. */
  missed: Set<Tag> | 'everything';
}

const capacityBytes = 24 * 1024 * 1024;
/** What an entry costs beside its bytes. */
const overheadBytes = 1_024;

/** Public answers as ready bytes, dropped the moment what they show is written. The longest unused go first. */
export class Memory {
  #held = new Map<string, Held>();
  #byTag = new Map<Tag, Set<string>>();
  #builds = new Set<Build>();
  /** Builds a new request may join: begun after the last write. */
  #joinable = new Map<string, Build>();
  #bytes = 0;
  #db: Database;

  constructor(db: Database) {
    this.#db = db;
    db.onChange((tags) => this.#drop(tags));
  }

  get(key: string): Answer | undefined {
    const held = this.#held.get(key);
    if (!held) return undefined;
    if (!this.#db.hearsOthers || held.expiresAt < performance.now()) {
      this.#forget(key, held);
      return undefined;
    }
    this.#held.delete(key);
    this.#held.set(key, held);
    return held.answer;
  }

  /** Builds and holds an answer. */
  build(key: string, make: () => Promise<Built | undefined>, maxAgeMs = Infinity): Promise<Answer | undefined> {
    const running = this.#joinable.get(key);
    if (running) return running.promise;
    const build: Build = { missed: new Set(), promise: Promise.resolve(undefined) };
    build.promise = this.#run(key, build, make, maxAgeMs);
    this.#builds.add(build);
    this.#joinable.set(key, build);
    return build.promise;
  }

  async #run(
    key: string,
    build: Build,
    make: () => Promise<Built | undefined>,
    maxAgeMs: number,
  ): Promise<Answer | undefined> {
    try {
      const built = await make();
      if (!built?.tags) return built?.answer;
      const tags = new Set(built.tags);
      const { missed } = build;
      const outdated = missed === 'everything' || !missed.isDisjointFrom(tags);
      if (!outdated && this.#db.hearsOthers) {
        this.#hold(key, { answer: built.answer, tags, expiresAt: performance.now() + maxAgeMs });
      }
      return built.answer;
    } finally {
      this.#builds.delete(build);
      if (this.#joinable.get(key) === build) this.#joinable.delete(key);
    }
  }

  #hold(key: string, held: Held): void {
    const before = this.#held.get(key);
    if (before) this.#forget(key, before);
    this.#held.set(key, held);
    this.#bytes += held.answer.bytes + overheadBytes;
    for (const tag of held.tags) {
      const keys = this.#byTag.get(tag);
      if (keys) keys.add(key);
      else this.#byTag.set(tag, new Set([key]));
    }
    for (const [oldest, entry] of this.#held) {
      if (this.#bytes <= capacityBytes) break;
      this.#forget(oldest, entry);
    }
  }

  #forget(key: string, held: Held): void {
    this.#held.delete(key);
    this.#bytes -= held.answer.bytes + overheadBytes;
    for (const tag of held.tags) {
      const keys = this.#byTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#byTag.delete(tag);
    }
  }

  #drop(tags: readonly Tag[] | 'everything'): void {
    this.#joinable.clear();
    if (tags === 'everything') {
      this.#held.clear();
      this.#byTag.clear();
      this.#bytes = 0;
      for (const build of this.#builds) build.missed = 'everything';
      return;
    }
    for (const build of this.#builds) {
      if (build.missed !== 'everything') for (const tag of tags) build.missed.add(tag);
    }
    for (const tag of tags) {
      for (const key of this.#byTag.get(tag) ?? []) this.#forget(key, this.#held.get(key)!);
    }
  }
}
