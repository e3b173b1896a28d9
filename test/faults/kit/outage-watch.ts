import { errors } from '#contract/errors.ts';
import type { Person } from '../../measurements/people.ts';
import { Loops } from './loops.ts';

const everyMs = 50;
const { status: unavailable, message } = errors.UNAVAILABLE;

/** Repeats requests to which a server must respond whether its storage is available or not. */
export class OutageWatch {
  /** Unexpected responses, in words. */
  readonly unexpected: string[] = [];
  /** Number of responses to requests that were sent while the storage was away, and came before it was back. */
  away = 0;
  #address: string;
  #writer: Person;
  #isAway = false;
  #changes = 0;
  #loops: Loops;

  constructor(address: string, writer: Person) {
    this.#address = address;
    this.#writer = writer;
    const watches = [
      () => this.#watch(() => this.#ask('/healthz'), [200], [200]),
      () => this.#watch(() => this.#ask('/readyz'), [200, 503], [503]),
      // A read waits for the storage for some time.
      () => this.#watch(() => this.#ask('/'), [200, 503], [200, 503]),
      () => this.#watch(() => this.#ask('/api/v1/posts'), [200, 503], [200, 503]),
      () => this.#watch(() => this.#write(), [201, 503], [503]),
    ];
    this.#loops = new Loops(watches, everyMs);
  }

  set storageAway(away: boolean) {
    this.#isAway = away;
    this.#changes += 1;
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  async #watch(ask: () => Promise<Response>, expected: readonly number[], whileAway: readonly number[]): Promise<void> {
    const before = this.#changes;
    const { path, status, body } = await ask();
    const isAway = this.#isAway && before === this.#changes;
    if (isAway) this.away += 1;
    const allowed = isAway ? whileAway : expected;
    if (!allowed.includes(status)) this.unexpected.push(`${path}: ${status}, not ${allowed.join(' or ')}`);
    if (status === unavailable && !body.includes(message)) this.unexpected.push(`${path} does not explain the outage`);
  }

  /** The idempotency key is always the same, so that the text is stored once. */
  #write(): Promise<Response> {
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

  async #ask(path: string, init?: RequestInit): Promise<Response> {
    try {
      const response = await fetch(`${this.#address}${path}`, { headers: { accept: 'text/html' }, ...init });
      return { path, status: response.status, body: await response.text() };
    } catch (error) {
      return { path, status: 0, body: String(error) };
    }
  }
}

interface Response {
  path: string;
  status: number;
  body: string;
}
