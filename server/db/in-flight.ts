import { StorageUnavailable } from './database.ts';

/** Lets a database close only when the transactions it has accepted have ended. */
export class InFlight {
  #running = new Set<Promise<unknown>>();
  #closed = false;

  async run<T>(transaction: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new StorageUnavailable('The database is closed');
    const running = transaction();
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
