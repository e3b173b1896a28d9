import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface CheckpointerOptions {
  /** Runs `work` while no write transaction of this process is open. */
  exclusively: (work: () => Promise<void>) => Promise<void>;
  onFailure: (error: Error) => void;
}

/** Keeps the WAL short without blocking the event loop on disk I/O. */
export class Checkpointer {
  #worker: Worker;
  #options: CheckpointerOptions;
  #running: Promise<void> | undefined;

  constructor(file: string, options: CheckpointerOptions) {
    this.#worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: file });
    this.#worker.unref();
    this.#options = options;
  }

  /** Starts a checkpoint unless one is already running. */
  start(): void {
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /**
   * The first pass runs concurrently with writers; the second blocks them while it copies the pages written meanwhile.
   * After that SQLite restarts the WAL from its beginning at the next write.
   */
  async #run(): Promise<void> {
    await this.#copy();
    await this.#options.exclusively(() => this.#copy());
  }

  async #copy(): Promise<void> {
    this.#worker.postMessage('checkpoint');
    const [failure] = (await once(this.#worker, 'message')) as [Error | undefined];
    if (failure) this.#options.onFailure(failure);
  }

  async close(): Promise<void> {
    await this.#running;
    this.#worker.ref();
    const exited = once(this.#worker, 'exit');
    this.#worker.postMessage('close');
    await exited;
  }
}
