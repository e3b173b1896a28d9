import { fdatasync } from 'node:fs';

/** Makes what a descriptor's file holds durable without blocking the event loop. */
export type Sync = (fd: number) => Promise<void>;

export const fileSync: Sync = (fd) =>
  new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve())));

/**
 * Commits wait here for the disk. A sync answers for every commit made before it began, so all who ask while one is
 * under way share the next. After a failed sync nobody can say what is on the disk (the kernel may have dropped the
 * dirty pages): `onFailure` must end the process.
 */
export class WalSync {
  syncs = 0;
  syncSeconds = 0;
  #fd: number;
  #sync: Sync;
  #onFailure: (error: Error) => void;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(fd: number, sync: Sync, onFailure: (error: Error) => void) {
    this.#fd = fd;
    this.#sync = sync;
    this.#onFailure = onFailure;
  }

  /** Resolves when everything committed before this call is durable. */
  durable(): Promise<void> {
    if (!this.#running) return (this.#running = this.#start());
    return (this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return (this.#running = this.#start());
    }));
  }

  /** Resolves when the sync that is under way has ended. */
  idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  async #start(): Promise<void> {
    const began = performance.now();
    try {
      await this.#sync(this.#fd);
    } catch (error) {
      this.#onFailure(error as Error);
      // Never resolves: nothing that waits may be acknowledged.
      await new Promise(() => {});
    }
    this.syncs += 1;
    this.syncSeconds += (performance.now() - began) / 1_000;
    if (!this.#next) this.#running = undefined;
  }
}
