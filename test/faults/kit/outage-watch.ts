import { errors } from '#contract/errors.ts';
import type { Person } from '../../figures/people.ts';
import { Loops } from './loops.ts';

const everyMs = 50;
const { status: unavailable, message } = errors.UNAVAILABLE;

/** Repeats requests to which a server must respond whether its storage is available or not. */
export class OutageWatch {
  /** Unexpected responses, in words. */
  readonly unexpected: string[] = [];
  /** Number of rounds that began and ended while the storage was away. */
  roundsAway = 0;
  #address: string;
  #writer: Person;
  #away = false;
  #changes = 0;
  #loops: Loops;

  constructor(address: string, writer: Person) {
    this.#address = address;
    this.#writer = writer;
    this.#loops = new Loops([() => this.#watch()], everyMs);
  }

  set storageAway(away: boolean) {
    this.#away = away;
    this.#changes += 1;
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  async #watch(): Promise<void> {
    const before = this.#changes;
    const responses = await Promise.all([
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
    responses.forEach((response, i) => this.#judge(response, expected[i]!));
  }

  #judge({ path, status, body }: Response, expected: readonly number[]): void {
    if (!expected.includes(status)) this.unexpected.push(`${path}: ${status}, not ${expected.join(' or ')}`);
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
