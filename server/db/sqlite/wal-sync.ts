import { fdatasync } from 'node:fs';

/** Syncs the file of a descriptor without blocking the event loop. */
export type Sync = (fd: number) => Promise<void>;

export const fileSync: Sync = (fd) =>
  new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve())));

/**
 * Makes commits durable. A sync covers every commit made before it began, so all calls made during a sync share the
 * next one. After a failed sync the state of the disk is unknown (the kernel may have dropped the dirty pages), so
 * `onFailure` must end the process.
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

  /** Resolves when the running sync has ended. */
  idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  async #start(): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#sync(this.#fd);
    } catch (error) {
      this.#onFailure(error as Error);
      // Never resolves: waiting writes must not be acknowledged.
      await new Promise(() => {});
    }
    this.syncs += 1;
    this.syncSeconds += (performance.now() - startedAt) / 1_000;
    if (!this.#next) this.#running = undefined;
  }
}
