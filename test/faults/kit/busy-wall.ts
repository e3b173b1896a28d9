import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#client/create-client.ts';
import type { CallEndpoint } from '#contract/endpoint.ts';
import { listPosts } from '#contract/posts.ts';
import { count, sum } from '../../measurements/numbers.ts';
import type { Person } from '../../measurements/people.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { type ReceivedEvent, readEvents } from '../../kit/event-reader.ts';
import { hangsAfterMs } from '../fault.ts';
import { Loops } from './loops.ts';
import { Responses } from './responses.ts';
import { Writers } from './writers.ts';

const reopenMs = 100;
const pageLimit = '50';

/** Writers at several addresses, and at each address a subscriber that must receive all of their posts. */
export class BusyWall {
  readonly writers: readonly Writers[];
  readonly subscribers: readonly Subscriber[];

  constructor(addresses: readonly string[], people: readonly Person[]) {
    this.writers = addresses.map(
      (address, i) =>
        new Writers(
          address,
          people.filter((_, j) => j % addresses.length === i),
        ),
    );
    this.subscribers = addresses.map((address) => new Subscriber(address));
  }

  /** Resolves when a post has been acknowledged at every address and every event stream has begun. */
  async busy(): Promise<void> {
    await this.acknowledgedEverywhere();
    while (this.subscribers.some(({ position }) => position === undefined)) await sleep(10);
  }

  /** Acknowledged texts by id. */
  get acknowledged(): Map<string, string> {
    return new Map(this.writers.flatMap(({ acknowledged }) => [...acknowledged]));
  }

  /** Resolves to the milliseconds until a post has been acknowledged at every address; rejects when a writer gives up. */
  async acknowledgedEverywhere(): Promise<number> {
    const from = performance.now();
    await Promise.all(this.writers.map((writers) => Promise.race([nextAcknowledged(writers), writers.failure])));
    return performance.now() - from;
  }

  /** Resolves when this many posts are acknowledged, over all addresses; rejects when a writer gives up. */
  async reached(atLeast: number): Promise<void> {
    while (this.acknowledged.size < atLeast) await this.acknowledgedEverywhere();
  }

  get inFlight(): number {
    return sum(this.writers.map(({ inFlight }) => inFlight));
  }

  get responses(): Responses {
    const all = new Responses();
    for (const { responses } of this.writers) for (const [outcome, times] of responses) all.add(outcome, times);
    return all;
  }

  /** Resolves when the last text of everybody is acknowledged. */
  async stopWriting(): Promise<void> {
    await Promise.all(this.writers.map((writers) => writers.stop()));
  }

  /** Resolves when everything is written and the subscribers have had time to receive it. */
  async stop(): Promise<void> {
    await this.stopWriting();
    const deadline = performance.now() + hangsAfterMs;
    while (this.missed() > 0 && performance.now() < deadline) await sleep(50);
    await Promise.all(this.subscribers.map((subscriber) => subscriber.stop()));
  }

  /** Number of acknowledged posts that a subscriber has not received, over all subscribers. */
  missed(): number {
    const ids = [...this.acknowledged.keys()];
    return sum(this.subscribers.map(({ received }) => ids.filter((id) => !received.has(id)).length));
  }

  receivedAll(what: string): Figure {
    const broken = sum(this.subscribers.map((subscriber) => subscriber.broken));
    const resets = sum(this.subscribers.map((subscriber) => subscriber.resets));
    const posts = this.subscribers.length * this.acknowledged.size;
    const detail = `${this.subscribers.length} event streams, ${count(posts)} posts in all; broken ${broken} times, reset ${resets} times`;
    return none(what, this.missed(), 'missed', detail);
  }
}

function nextAcknowledged(writers: Writers): Promise<void> {
  return new Promise((resolve) => {
    writers.onResponse = (outcome) => {
      if (outcome !== 201) return;
      writers.onResponse = undefined;
      resolve();
    };
  });
}

/**
 * A reader with an event stream. It reconnects with Last-Event-ID when the stream breaks, and loads the feed at the
 * start and after each reset.
 */
class Subscriber {
  /** When each post came, by its id. */
  readonly received = new Map<string, number>();
  /** How often the stream broke or could not be opened. */
  broken = 0;
  resets = 0;
  position: string | undefined;
  #address: string;
  #call: CallEndpoint;
  #close: (() => void) | undefined;
  #loops: Loops;

  constructor(address: string) {
    this.#address = address;
    this.#call = createClient({ baseUrl: address });
    this.#loops = new Loops([() => this.#subscribe()], reopenMs);
  }

  async stop(): Promise<void> {
    this.#loops.abandon();
    this.#close?.();
    await this.#loops.stop();
  }

  async #subscribe(): Promise<void> {
    try {
      const headers: Record<string, string> = this.position ? { 'last-event-id': this.position } : {};
      const url = `${this.#address}/api/v1/events`;
      const { ended, close } = await readEvents(url, headers, (event) => this.#receive(event));
      this.#close = close;
      await ended;
    } catch {
      // The next round opens the stream again.
    }
    if (!this.#loops.stopped) this.broken += 1;
  }

  #receive({ id, changes }: ReceivedEvent): void {
    const isFirst = this.position === undefined;
    this.position = id;
    for (const post of changes.posts) this.#add(post.id);
    if (isFirst || changes.reset) void this.#readFeed(new Set(this.received.keys()));
    if (changes.reset) this.resets += 1;
  }

  #add(id: string): void {
    if (!this.received.has(id)) this.received.set(id, performance.now());
  }

  /** Reads down to a page on which every post is known. */
  async #readFeed(known: ReadonlySet<string>): Promise<void> {
    let from = {};
    while (!this.#loops.stopped) {
      const page = await this.#call(listPosts, { query: { limit: pageLimit, ...from } }).catch(() => undefined);
      for (const { id } of page?.posts ?? []) this.#add(id);
      if (!page) await sleep(reopenMs);
      else if (page.next === null || page.posts.every(({ id }) => known.has(id))) return;
      else from = { cursor: page.next };
    }
  }
}
