import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, ask } from '../../test/ask.ts';
import { device, newAddress } from '../../test/door.ts';

const pauseMs = 100;

/** People who ask for a code to register with, one after the other in each of some queues. */
export class Applicants {
  /** Who was promised one. */
  readonly promised: string[] = [];
  readonly answers = new Map<Answered, number>();
  readonly tookMs: number[] = [];
  #address: string;
  #stopping = false;
  #all: Promise<unknown>;

  constructor(address: string, queues: number) {
    this.#address = address;
    this.#all = Promise.all(Array.from({ length: queues }, () => this.#apply()));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#all;
  }

  async #apply(): Promise<void> {
    for (; !this.#stopping; await sleep(pauseMs)) {
      const email = newAddress();
      const began = performance.now();
      const answered = await start(this.#address, email);
      this.tookMs.push(performance.now() - began);
      this.answers.set(answered, (this.answers.get(answered) ?? 0) + 1);
      if (answered === 201) this.promised.push(email);
    }
  }
}

export async function start(address: string, email: string): Promise<Answered> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, clientToken: 'an applicant', device });
  return (await ask(`${address}/api/v1/registrations`, { method: 'POST', headers }, body)).answered;
}
