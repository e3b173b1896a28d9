import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface CheckpointerOptions {
  /** Runs its work while nobody in this process writes. */
  exclusively: (work: () => Promise<void>) => Promise<void>;
  onFailure: (error: Error) => void;
}

/** Keeps the WAL short without the event loop ever waiting for the disk. */
export class Checkpointer {
  #worker: Worker;
  #options: CheckpointerOptions;
  #running: Promise<void> | undefined;

  constructor(file: string, options: CheckpointerOptions) {
    this.#worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: file });
    this.#worker.unref();
    this.#options = options;
  }

  /** Starts a checkpoint unless one is under way. */
  start(): void {
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /**
   * Nearly all is copied beside the writers; they stand still only for what came in meanwhile. Then nothing is left to
   * copy and the next write begins the WAL anew.
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
