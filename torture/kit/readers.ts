import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, ask } from '../../test/ask.ts';

const pauseMs = 10;

/** Each path is read again and again, beside the others. */
export class Readers {
  /** How often each answer came. */
  readonly answers = new Map<Answered, number>();
  slowestMs = 0;
  #address: string;
  #agent = new Agent({ keepAlive: true });
  #stopping = false;
  #all: Promise<unknown>;

  constructor(address: string, paths: readonly string[]) {
    this.#address = address;
    this.#all = Promise.all(paths.map((path) => this.#read(path)));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#all;
    this.#agent.destroy();
  }

  async #read(path: string): Promise<void> {
    for (; !this.#stopping; await sleep(pauseMs)) {
      const began = performance.now();
      const { answered } = await ask(`${this.#address}${path}`, { agent: this.#agent });
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
      this.answers.set(answered, (this.answers.get(answered) ?? 0) + 1);
    }
  }
}
