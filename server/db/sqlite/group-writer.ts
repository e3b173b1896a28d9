import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { StorageDamaged } from '../database.ts';
import { runForNobody } from '../../waits.ts';
import type { Explained } from './connection.ts';
import { isBusy } from './sqlite-errors.ts';

/** Queries that run just before a commit. */
type Last = () => Promise<unknown>;
type Work<T> = (atCommit: (last: Last) => void) => Promise<T>;

interface QueuedTransaction {
  work: Work<unknown>;
  /** Called when the commit is durable, or at once when the group is rolled back. Never called if a commit does not become durable. */
  done: (outcome: Outcome) => void;
  queuedAt: number;
}

type Outcome = { ok: true; value: unknown; last: readonly Last[] } | { ok: false; error: unknown };

interface Durability {
  /** Resolves when every commit made before the call is durable. */
  durable(): Promise<void>;
  /** Resolves when no sync is running. */
  idle(): Promise<void>;
}

/** Maximum wait for the lock of another process, such as a backup or an admin command. */
const lockTimeoutMs = 5_000;
/** Maximum number of transactions in one commit. */
const groupSize = 64;
/** Minimum time between groups under concurrent writes. Each commit writes whole pages, so larger groups write less. */
const gatherMs = 10;
/** Number of queued transactions that starts a group without waiting. */
const largeGroup = 16;

/**
 * Runs write transactions sequentially on one connection: interleaved, they would roll back each other's writes.
 * Queued transactions share one SQLite transaction, each inside its own savepoint, and one sync.
 */
export class GroupWriter {
  commits = 0;
  /** Transactions contained in `commits`. */
  transactions = 0;
  #database: DatabaseSync;
  #savepoint: StatementSync;
  #release: StatementSync;
  #wal: Durability;
  #explained: Explained;
  #queue: QueuedTransaction[] = [];
  #exclusive: Array<() => Promise<void>> = [];
  #draining = false;
  #lastBegunAt = 0;
  #lastGroup = 0;
  #onLargeGroup = (): void => {};

  constructor(database: DatabaseSync, wal: Durability, explained: Explained) {
    this.#database = database;
    this.#savepoint = database.prepare('savepoint job');
    this.#release = database.prepare('release job');
    this.#wal = wal;
    this.#explained = explained;
  }

  run<T>(work: Work<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({
        work,
        done: (outcome) => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.error)),
        queuedAt: performance.now(),
      });
      if (this.#queue.length === largeGroup) this.#onLargeGroup();
      this.#drain();
    });
  }

  /** Runs `work` while no transaction is open. */
  exclusively(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#exclusive.push(() => work().then(resolve, reject));
      this.#drain();
    });
  }

  /**
   * The queries of a group are not counted as waits of a single request, because they run for all of them. Each request counts the
   * time until its transaction is durable.
   */
  #drain(): void {
    if (!this.#draining) void runForNobody(() => this.#drainQueue());
  }

  async #drainQueue(): Promise<void> {
    this.#draining = true;
    while (this.#queue.length > 0 || this.#exclusive.length > 0) {
      // This lets writes of this turn of the event loop join the group, and reads run between groups.
      await setImmediate();
      await this.#gather();
      for (const work of this.#exclusive.splice(0)) await work();
      const group = this.#queue.splice(0, groupSize);
      this.#lastGroup = group.length;
      if (group.length > 0) await this.#commit(group);
    }
    this.#draining = false;
  }

  async #gather(): Promise<void> {
    if (this.#queue.length < largeGroup) {
      // A commit made during a sync would have to wait for the next sync anyway.
      await this.#wal.idle();
      const remainingMs = this.#lastBegunAt + gatherMs - performance.now();
      if (this.#lastGroup > 1 && remainingMs > 0) await this.#largeGroupOr(remainingMs);
    }
    this.#lastBegunAt = performance.now();
  }

  /** Resolves when a large group is queued, or after `ms`. */
  async #largeGroupOr(ms: number): Promise<void> {
    if (this.#queue.length >= largeGroup) return;
    await Promise.race([setTimeout(ms), new Promise<void>((resolve) => (this.#onLargeGroup = resolve))]);
  }

  async #commit(group: QueuedTransaction[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      await this.#begin(group[0]!.queuedAt + lockTimeoutMs);
      outcomes = [];
      for (const job of group) outcomes.push(await this.#attempt(job));
      // These queries run outside the savepoints, so an error fails the whole group.
      for (const outcome of outcomes) if (outcome.ok) for (const last of outcome.last) await last();
      this.#database.exec('commit');
      this.commits += 1;
      this.transactions += group.length;
    } catch (error) {
      const explained = this.#explained(error);
      if (this.#database.isTransaction) this.#database.exec('rollback');
      for (const job of group) job.done({ ok: false, error: explained });
      return;
    }
    // Failures are reported after the sync too, because they may depend on rows that are committed but not yet durable.
    void this.#wal.durable().then(() => group.forEach((job, i) => job.done(outcomes[i]!)));
  }

  async #attempt(job: QueuedTransaction): Promise<Outcome> {
    this.#savepoint.run();
    const last: Last[] = [];
    try {
      const value = await job.work((work) => last.push(work));
      this.#release.run();
      return { ok: true, value, last };
    } catch (error) {
      // An error such as a full disk may have rolled back the whole transaction. Nothing is committed to a damaged file.
      if (!this.#database.isTransaction || error instanceof StorageDamaged) throw error;
      this.#database.exec('rollback to job; release job');
      return { ok: false, error };
    }
  }

  /** Polls for the lock, because `busy_timeout` would block the event loop. */
  async #begin(deadline: number): Promise<void> {
    for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
      try {
        this.#database.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
      }
      await setTimeout(pause);
    }
  }
}
