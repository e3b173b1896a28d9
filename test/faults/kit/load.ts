import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, sum } from '../../measurements/numbers.ts';
import type { Person } from '../../measurements/people.ts';
import { type AskResult, type Outcome, ask } from '../../kit/ask.ts';
import { hangsAfterMs, until } from '../fault.ts';

const pauseMs = 20;
const readPauseMs = 10;
const maxWrong = 5;

/** Repeats pieces of work side by side until it is stopped. */
export class Loops {
  stopped = false;
  #all: Promise<unknown> = Promise.resolve();

  constructor(works: ReadonlyArray<() => Promise<unknown>> = [], pause = 0) {
    this.begin(works, pause);
  }

  begin(works: ReadonlyArray<() => Promise<unknown>>, pause: number): void {
    this.#all = Promise.all(works.map((work) => this.#repeat(work, pause)));
    // `stop` rejects with the error.
    this.#all.catch(() => {});
  }

  /** Rejects when a piece of work has failed and is not repeated any more. */
  get failure(): Promise<never> {
    return this.#all.then(() => new Promise<never>(() => {}));
  }

  /** Resolves when the work in progress is done. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.#all;
  }

  async #repeat(work: () => Promise<unknown>, pause: number): Promise<void> {
    for (; !this.stopped; await sleep(pause)) await work();
  }
}

/** How often something had each outcome. */
export class Tally<T> extends Map<T, number> {
  add(outcome: T, times = 1): void {
    this.set(outcome, this.of(outcome) + times);
  }

  of(...outcomes: readonly T[]): number {
    return sum(outcomes.map((outcome) => this.get(outcome) ?? 0));
  }

  /** Whether there were responses and all of them had one of these outcomes. */
  areOnly(...allowed: readonly T[]): boolean {
    return this.size > 0 && this.except(...allowed).size === 0;
  }

  except(...outcomes: readonly T[]): Tally<T> {
    return new Tally([...this].filter(([outcome]) => !outcomes.includes(outcome)));
  }

  get total(): number {
    return sum([...this.values()]);
  }

  /** `1,203 × 201, 17 × 503` */
  override toString(): string {
    return [...this].map(([outcome, times]) => `${count(times)} × ${String(outcome)}`).join(', ');
  }
}

export class Responses extends Tally<Outcome> {}

/** Does something many times at once; resolves to how often each outcome came. */
export async function allAtOnce<T>(many: number, work: (i: number) => Promise<T>): Promise<Tally<T>> {
  const outcomes = new Tally<T>();
  for (const one of await Promise.all(Array.from({ length: many }, (_, i) => work(i)))) outcomes.add(one);
  return outcomes;
}

interface Sending {
  token?: string;
  body?: object;
  headers?: Record<string, string>;
  agent?: http.Agent;
}

export const post = (url: string, { token, body, headers, agent }: Sending): Promise<AskResult> => {
  const all = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...headers,
  };
  return ask(url, { method: 'POST', headers: all, ...(agent && { agent }) }, body && JSON.stringify(body));
};

/**
 * People who publish without a pause. Like the web app, each sends a text again with its idempotency key until it is
 * acknowledged, so that every text must be on the wall exactly once in the end.
 */
export class Writers extends Loops {
  /** Acknowledged texts by id. */
  readonly acknowledged = new Map<string, string>();
  readonly responses = new Responses();
  /** Called with each response, and with the id of an acknowledged text. */
  onResponse: ((outcome: Outcome, tookMs: number, id?: string) => void) | undefined;
  /** Number of requests without a response yet. */
  inFlight = 0;
  #url: string;
  #agent: http.Agent;
  #abandoned = false;

  /** `address` belongs to a server or a proxy, which may go away and come back. */
  constructor(address: string, people: readonly Person[]) {
    super();
    this.#url = `${address}/api/v1/posts`;
    this.#agent = new (address.startsWith('https:') ? https : http).Agent({ keepAlive: true });
    const works = people.map((person) => {
      let i = 0;
      return () => this.#publish(person.token, `${person.username} пишет ${i++}`);
    });
    this.begin(works, 0);
  }

  /** Resolves to the milliseconds until the next response with this outcome; rejects when somebody gives up. */
  async next(wanted: Outcome): Promise<number> {
    const before = this.responses.of(wanted);
    const ms = await Promise.race([until(() => this.responses.of(wanted) > before, { everyMs: 5 }), this.failure]);
    if (ms === Infinity) throw new Error(`No response was ${wanted}; responses: ${this.responses.toString()}`);
    return ms;
  }

  /** Resolves when this many texts are acknowledged. */
  async reached(atLeast: number): Promise<void> {
    while (this.acknowledged.size < atLeast) await this.next(201);
  }

  /** Resolves when the last text of everybody is acknowledged. */
  override async stop(): Promise<void> {
    await super.stop();
    this.#agent.destroy();
  }

  /** Gives up at once, for a case that has failed already. */
  abandon(): void {
    this.stopped = true;
    this.#abandoned = true;
    this.#agent.destroy();
  }

  async #publish(token: string, text: string): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() };
    for (const deadline = performance.now() + hangsAfterMs; ; await sleep(pauseMs)) {
      const began = performance.now();
      this.inFlight += 1;
      const { outcome, body } = await post(this.#url, { token, body: { text }, headers, agent: this.#agent });
      this.inFlight -= 1;
      this.responses.add(outcome);
      const id = outcome === 201 ? (JSON.parse(body) as { id: string }).id : undefined;
      if (id !== undefined) this.acknowledged.set(id, text);
      this.onResponse?.(outcome, performance.now() - began, id);
      if (id !== undefined) return;
      if (this.#abandoned || performance.now() > deadline)
        throw new Error(`“${text}” was not acknowledged; last response: ${outcome}`);
    }
  }
}

/** A text of each response that no other response contains, so that a response to another request is noticed. */
const expectedTexts: Record<string, string> = {
  '/healthz': '"status":"ok"',
  '/api/v1/posts': '"posts"',
  '/api/v1/reports/reasons': '"reasons"',
  '/robots.txt': 'Sitemap',
  '/api/v1/posts/nothing': '"NOT_FOUND"',
};

/** Readers of one path each, who repeat their request until they are stopped. */
export class Readers extends Loops {
  readonly responses = new Responses();
  readonly tookMs: number[] = [];
  /** The first responses without the text expected for their path, in words. */
  readonly wrong: string[] = [];
  #agent = new http.Agent({ keepAlive: true });

  constructor(address: string, paths: readonly string[] = Object.keys(expectedTexts)) {
    super();
    const works = paths.map((path) => () => this.#read(address, path));
    this.begin(works, readPauseMs);
  }

  get slowestMs(): number {
    return this.tookMs.reduce((slowest, ms) => Math.max(slowest, ms), 0);
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.#agent.destroy();
  }

  async #read(address: string, path: string): Promise<void> {
    const began = performance.now();
    const { outcome, body } = await ask(`${address}${path}`, { agent: this.#agent });
    this.tookMs.push(performance.now() - began);
    this.responses.add(outcome);
    if (!body.includes(expectedTexts[path] ?? '') && this.wrong.length < maxWrong)
      this.wrong.push(`${path} returned ${outcome}: ${body.slice(0, 200)}`);
  }
}
