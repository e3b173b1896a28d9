import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { asStorageError, isBusy, isDamaged } from './sqlite-errors.ts';

interface Job {
  work: () => Promise<unknown>;
  /** Called when the commit is durable, or not at all. */
  done: (settle: Settle) => void;
  since: number;
}

type Settle = { ok: true; value: unknown } | { ok: false; error: unknown };

interface Durability {
  /** Resolves when everything committed before is on the disk. */
  durable(): Promise<void>;
  /** Resolves when the disk has done what it was asked so far. */
  idle(): Promise<void>;
}

/** So long does a write wait for a foreign lock (a backup, an operator's command) before it is refused. */
const lockPatienceMs = 5_000;
const groupSize = 64;
/** While several write, a group gathers for so long: every commit writes whole pages, whatever changed in them. */
const gatherMs = 3;
/** Or until so many wait. */
const crowd = 16;

/**
 * Runs write transactions one after another on one connection: interleaved, they would roll back each other's writes.
 * Those that wait share one SQLite transaction, each behind a savepoint of its own, and one wait for the disk.
 */
export class GroupWriter {
  commits = 0;
  /** In these commits. */
  transactions = 0;
  #database: DatabaseSync;
  #savepoint: StatementSync;
  #release: StatementSync;
  #wal: Durability;
  #onDamage: (error: Error) => void;
  #queue: Job[] = [];
  #exclusive: Array<() => Promise<void>> = [];
  #draining = false;
  #lastBegunAt = 0;
  #lastGroup = 0;
  #onCrowd = (): void => {};

  constructor(database: DatabaseSync, wal: Durability, onDamage: (error: Error) => void) {
    this.#database = database;
    this.#savepoint = database.prepare('savepoint job');
    this.#release = database.prepare('release job');
    this.#wal = wal;
    this.#onDamage = onDamage;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({
        work,
        done: (settle) => (settle.ok ? resolve(settle.value as T) : reject(settle.error)),
        since: performance.now(),
      });
      if (this.#queue.length === crowd) this.#onCrowd();
      void this.#drain();
    });
  }

  /** Runs `work` while no transaction is open. */
  exclusively(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#exclusive.push(() => work().then(resolve, reject));
      void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    while (this.#queue.length > 0 || this.#exclusive.length > 0) {
      // Who asks in the same turn of the event loop goes along, and between groups reads get their turn.
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
    if (this.#queue.length < crowd) {
      // What is committed while the disk is busy would wait for it all the same.
      await this.#wal.idle();
      const early = this.#lastBegunAt + gatherMs - performance.now();
      if (this.#lastGroup > 1 && early > 0) await this.#crowdOr(early);
    }
    this.#lastBegunAt = performance.now();
  }

  /** Resolves when a crowd waits, at the latest after so long. */
  async #crowdOr(ms: number): Promise<void> {
    if (this.#queue.length >= crowd) return;
    await Promise.race([setTimeout(ms), new Promise<void>((resolve) => (this.#onCrowd = resolve))]);
  }

  async #commit(group: Job[]): Promise<void> {
    let outcomes: Settle[];
    try {
      await this.#begin(group[0]!.since + lockPatienceMs);
      outcomes = [];
      for (const job of group) outcomes.push(await this.#attempt(job));
      this.#database.exec('commit');
      this.commits += 1;
      this.transactions += group.length;
    } catch (error) {
      if (isDamaged(error)) this.#onDamage(error as Error);
      if (this.#database.isTransaction) this.#database.exec('rollback');
      for (const job of group) job.done({ ok: false, error: asStorageError(error) });
      return;
    }
    // Refusals wait too: what they rest on may have been written a moment ago.
    void this.#wal.durable().then(() => group.forEach((job, i) => job.done(outcomes[i]!)));
  }

  async #attempt(job: Job): Promise<Settle> {
    this.#savepoint.run();
    try {
      const value = await job.work();
      this.#release.run();
      return { ok: true, value };
    } catch (error) {
      // A full disk may have ended the whole transaction.
      if (!this.#database.isTransaction) throw error;
      this.#database.exec('rollback to job; release job');
      return { ok: false, error };
    }
  }

  /** The connection itself never waits for a lock, as that would block the event loop. */
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
