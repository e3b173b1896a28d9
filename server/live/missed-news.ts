import type { Database } from '../db/database.ts';
import { changesAfter, latestPosition, reachesBackTo } from './change-log.ts';
import { type News, newsOf, nothing } from './news.ts';

/** A subscriber that has missed more loads what it shows again, which is cheaper for both. */
const maxChanges = 300;
/** As JSON. Edited texts take most of it. */
const maxBytes = 128 * 1024;
const maxShared = 100;

/** The changes since a position. They are read once for all subscribers that continue from there. */
export class MissedNews {
  #db: Database;
  #shared = new Map<number, Promise<News>>();
  /** The position up to which the shared news were read. */
  #upTo = 0;

  constructor(db: Database) {
    this.#db = db;
    // The deletion of an account hides texts before the log contains a change.
    db.onChange(() => this.#shared.clear());
  }

  /** Without a position, only the current one. `onRead` gets the number of changes that were read for this subscriber. */
  async since(after: number | undefined, onRead: (changes: number) => void): Promise<News> {
    const latest = await latestPosition(this.#db.read);
    if (after === undefined || after === latest) return { ...nothing, position: latest };
    if (after > latest) return resetAt(latest);
    if (latest !== this.#upTo || this.#shared.size >= maxShared || !this.#db.receivesForeignWrites) {
      this.#upTo = latest;
      this.#shared.clear();
    }
    let missed = this.#shared.get(after);
    if (!missed) {
      missed = this.#read(after, latest, onRead);
      this.#shared.set(after, missed);
      missed.catch(() => this.#shared.delete(after));
    }
    return missed;
  }

  async #read(after: number, latest: number, onRead: (changes: number) => void): Promise<News> {
    const { read } = this.#db;
    if (!(await reachesBackTo(read, after))) return resetAt(latest);
    const rows = await changesAfter(read, after, maxChanges);
    onRead(rows?.length ?? maxChanges);
    const news = rows && (await newsOf(read, rows));
    return news && Buffer.byteLength(JSON.stringify(news)) <= maxBytes ? news : resetAt(latest);
  }
}

const resetAt = (position: number): News => ({ ...nothing, position, reset: true });
