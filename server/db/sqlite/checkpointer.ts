import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Keeps the WAL short without the event loop ever waiting for the disk. */
export class Checkpointer {
  #worker: Worker;
  #exclusively: (work: () => Promise<void>) => Promise<void>;
  #running: Promise<void> | undefined;

  /** `exclusively` runs its work while nobody else writes. */
  constructor(file: string, exclusively: (work: () => Promise<void>) => Promise<void>) {
    this.#worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: file });
    this.#worker.unref();
    this.#exclusively = exclusively;
  }

  /** Starts a checkpoint unless one is under way. */
  start(): void {
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  async #run(): Promise<void> {
    // Nearly all is copied beside the writers; they stand still only for what came in meanwhile.
    await this.#ask('passive');
    await this.#exclusively(() => this.#ask('truncate'));
  }

  async #ask(mode: 'passive' | 'truncate'): Promise<void> {
    this.#worker.postMessage(mode);
    await once(this.#worker, 'message');
  }

  async close(): Promise<void> {
    await this.#running;
    this.#worker.ref();
    const exited = once(this.#worker, 'exit');
    this.#worker.postMessage('close');
    await exited;
  }
}
