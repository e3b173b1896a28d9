import { StorageUnavailable } from './database.ts';
import { WriteOutage } from './write-outage.ts';

/** Watches the transactions of a database, and lets it close only when those it has accepted have ended. */
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
