import type { FastifyBaseLogger } from 'fastify';
import { type Database, StorageDamaged, StorageUnavailable, type WriteHealth } from './database.ts';

/** Watches the transactions of a database. `close` waits for those that have begun. */
export class InFlight {
  readonly writes = new WriteOutage();
  #running = new Set<Promise<unknown>>();
  #closed = false;

  async run<T>(transaction: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new StorageUnavailable('The database is closed');
    const running = this.writes.watch(transaction());
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }
}

/**
 * An outage ends when a transaction succeeds and none has failed for this time. A job writes every 15 s, so there are tries to
 * write even if nobody uses the wall.
 */
const quietMs = 30_000;

type Outage = { begunAt: number; lastAt: number; failures: number; reason: string };

/** Detects from the outcomes of transactions when the storage stops and resumes accepting writes. */
class WriteOutage implements WriteHealth {
  failed = 0;
  #outage: Outage | undefined;
  #last: unknown;
  #onBegin = (_reason: string): void => {};
  #onEnd = (_outage: { failures: number; seconds: number }): void => {};

  get areFailing(): boolean {
    return this.#outage !== undefined;
  }

  get reason(): string | null {
    return this.#outage?.reason ?? null;
  }

  onOutage(...[onBegin, onEnd]: Parameters<WriteHealth['onOutage']>): void {
    this.#onBegin = onBegin;
    this.#onEnd = onEnd;
  }

  async watch<T>(transaction: Promise<T>): Promise<T> {
    try {
      const result = await transaction;
      this.#succeeded();
      return result;
    } catch (error) {
      this.note(error);
      throw error;
    }
  }

  note(error: unknown): void {
    if (!(error instanceof StorageUnavailable) || error === this.#last) return;
    this.#last = error;
    this.failed += 1;
    const now = performance.now();
    const isFirst = this.#outage === undefined;
    this.#outage ??= { begunAt: now, lastAt: now, failures: 0, reason: reasonOf(error) };
    this.#outage.lastAt = now;
    this.#outage.failures += 1;
    if (isFirst) this.#onBegin(this.#outage.reason);
  }

  #succeeded(): void {
    if (!this.#outage || performance.now() - this.#outage.lastAt < quietMs) return;
    const { begunAt, lastAt, failures } = this.#outage;
    this.#outage = undefined;
    this.#onEnd({ failures, seconds: Math.ceil((lastAt - begunAt) / 1_000) });
  }
}

function reasonOf({ message, cause }: StorageUnavailable): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Logs one line of level 50 when writes begin to fail and one when they succeed again. */
export function logOutages({ writes }: Pick<Database, 'writes'>, log: FastifyBaseLogger): void {
  writes.onOutage(
    (reason) => log.error({ reason }, 'writes are failing'),
    (outage) => log.error(outage, 'writes succeed again'),
  );
}

/** Logs the failure of work that is tried again. Outages and damage are logged once by `logOutages`, not for each failure. */
export function logFailure(
  { log, db }: { log: FastifyBaseLogger; db: Pick<Database, 'writes'> },
  { err, ...fields }: { err: unknown; [field: string]: unknown },
  message: string,
): void {
  if (err instanceof StorageDamaged) return;
  if (!(err instanceof StorageUnavailable)) log.warn({ ...fields, err }, message);
  else if (!db.writes.areFailing) log.warn({ ...fields, reason: reasonOf(err) }, message);
}
