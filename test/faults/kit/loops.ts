import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats pieces of work side by side until it is stopped. */
export class Loops {
  #stopped = false;
  #all: Promise<unknown>;

  constructor(works: ReadonlyArray<() => Promise<unknown>>, pauseMs: number) {
    this.#all = Promise.all(works.map((work) => this.#repeat(work, pauseMs)));
    // `stop` rejects with the error.
    this.#all.catch(() => {});
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Rejects when a piece of work has failed and is not repeated any more. */
  get failure(): Promise<never> {
    return this.#all.then(() => new Promise<never>(() => {}));
  }

  /** Resolves when the work in progress is done. */
  async stop(): Promise<void> {
    this.abandon();
    await this.#all;
  }

  abandon(): void {
    this.#stopped = true;
  }

  async #repeat(work: () => Promise<unknown>, pauseMs: number): Promise<void> {
    for (; !this.#stopped; await sleep(pauseMs)) await work();
  }
}
