import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';

export interface CheckpointerOptions {
  /** Runs `work` while no write transaction of this process is open. */
  exclusively: (work: () => Promise<void>) => Promise<void>;
  onFailure: (error: Error) => void;
}

/** One thread for all databases of the process. A server has one database, tests have hundreds. */
let worker: Worker | undefined;

/** Keeps the WAL short without blocking the event loop on disk I/O. */
export class Checkpointer {
  #port: MessagePort;
  #options: CheckpointerOptions;
  #running: Promise<void> | undefined;

  constructor(file: string, options: CheckpointerOptions) {
    worker ??= startWorker();
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ file, port: port2 }, [port2]);
    this.#port = port1;
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
    this.#port.postMessage('checkpoint');
    const [failure] = (await once(this.#port, 'message')) as [Error | undefined];
    if (failure) this.#options.onFailure(failure);
  }

  async close(): Promise<void> {
    await this.#running;
    this.#port.ref();
    const closed = once(this.#port, 'close');
    this.#port.postMessage('close');
    await closed;
  }
}

function startWorker(): Worker {
  const started = new Worker(new URL('./checkpoint-worker.ts', import.meta.url));
  started.unref();
  return started;
}
