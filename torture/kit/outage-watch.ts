import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '#contract/errors.ts';
import type { Person } from './people.ts';

const everyMs = 50;
const { status: unavailable, message } = errors.UNAVAILABLE;

/** Asks a server again and again for what it must answer whether its storage is there or not. */
export class OutageWatch {
  /** Answers that are not as they should be, in words. */
  readonly unlike: string[] = [];
  /** Rounds that began and ended while the storage was away. */
  roundsAway = 0;
  #address: string;
  #writer: Person;
  #away = false;
  #changes = 0;
  #stopped = false;
  #watching: Promise<void>;

  constructor(address: string, writer: Person) {
    this.#address = address;
    this.#writer = writer;
    this.#watching = this.#watch();
  }

  set storageAway(away: boolean) {
    this.#away = away;
    this.#changes += 1;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      const before = this.#changes;
      const answers = await Promise.all([
        this.#ask('/healthz'),
        this.#ask('/readyz'),
        this.#ask('/'),
        this.#ask('/api/v1/posts'),
        this.#write(),
      ]);
      const away = this.#away && before === this.#changes;
      if (away) this.roundsAway += 1;
      const expected = away
        ? [[200], [503], [200, 503], [200, 503], [503]]
        : [[200], [200, 503], [200, 503], [200, 503], [201, 503]];
      answers.forEach((answer, i) => this.#judge(answer, expected[i]!));
      await sleep(everyMs);
    }
  }

  #judge({ path, status, said }: Asked, expected: readonly number[]): void {
    if (!expected.includes(status)) this.unlike.push(`${path}: ${status}, not ${expected.join(' or ')}`);
    if (status === unavailable && !said.includes(message)) this.unlike.push(`${path} does not say what is the matter`);
  }

  /** Always under one key: however often it is taken, the text stands there once. */
  #write(): Promise<Asked> {
    return this.#ask('/api/v1/posts', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#writer.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'in-an-outage',
      },
      body: JSON.stringify({ text: `${this.#writer.username} пишет во время сбоя` }),
    });
  }

  async #ask(path: string, init?: RequestInit): Promise<Asked> {
    try {
      const response = await fetch(`${this.#address}${path}`, { headers: { accept: 'text/html' }, ...init });
      return { path, status: response.status, said: await response.text() };
    } catch (error) {
      return { path, status: 0, said: String(error) };
    }
  }
}

interface Asked {
  path: string;
  status: number;
  said: string;
}
