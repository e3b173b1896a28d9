import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#client/create-client.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import { count, sum } from '../../measurements/numbers.ts';
import type { Person } from '../../measurements/people.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { type ReceivedEvent, readEvents } from '../../kit/event-reader.ts';
import type { StorageSettings } from '../../kit/engines.ts';
import { SECRET, type ServerProcess, startServer } from '../../kit/server-process.ts';
import { until } from '../fault.ts';
import { audit, nothingLost } from './audit.ts';
import { Loops, Responses, Writers } from './load.ts';

const reopenMs = 100;
const pageLimit = '50';

export const quietly = { SECRET, RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' };

/** Starts processes of a wall, each with its settings. `cleanup` ends them. */
export async function startProcesses(
  cleanup: AsyncDisposableStack,
  storage: StorageSettings,
  settings: readonly NodeJS.ProcessEnv[],
): Promise<{ servers: ServerProcess[]; addresses: string[] }> {
  const servers = await Promise.all(settings.map((own) => startServer(storage, { ...quietly, ...own })));
  for (const server of servers) cleanup.use(server);
  return { servers, addresses: servers.map(({ address }) => address) };
}

/** Starts two processes of a wall; resolves when people write through both. */
export async function twoBusyProcesses(
  cleanup: AsyncDisposableStack,
  storage: StorageSettings,
  people: readonly Person[],
): Promise<{ addresses: string[]; wall: BusyWall }> {
  const { addresses } = await startProcesses(cleanup, storage, [{}, {}]);
  const wall = new BusyWall(addresses, people);
  await wall.busy();
  return { addresses, wall };
}

/** Writers at several addresses, and at each address a subscriber that must receive all of their posts. */
export class BusyWall {
  readonly writers: readonly Writers[];
  readonly subscribers: readonly Subscriber[];

  constructor(addresses: readonly string[], people: readonly Person[]) {
    const at = (i: number) => people.filter((_, j) => j % addresses.length === i);
    this.writers = addresses.map((address, i) => new Writers(address, at(i)));
    this.subscribers = addresses.map((address) => new Subscriber(address));
  }

  /** Resolves when a post has been acknowledged at every address and every event stream has begun. */
  async busy(): Promise<void> {
    await this.acknowledgedEverywhere();
    await until(() => this.subscribers.every(({ position }) => position !== undefined));
  }

  /** Acknowledged texts by id. */
  get acknowledged(): Map<string, string> {
    return new Map(this.writers.flatMap(({ acknowledged }) => [...acknowledged]));
  }

  /** Resolves to the milliseconds until a post has been acknowledged at every address; rejects when a writer gives up. */
  async acknowledgedEverywhere(): Promise<number> {
    return Math.max(...(await Promise.all(this.writers.map((writers) => writers.next(201)))));
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
    await until(() => this.missed() === 0, { everyMs: 50 });
    await Promise.all(this.subscribers.map((subscriber) => subscriber.stop()));
  }

  /** What the storage of a wall that has stopped has lost. */
  async nothingLost(what: string, storage: StorageSettings, atLeast: number): Promise<Figure> {
    return nothingLost(what, await audit(storage, this.acknowledged), atLeast);
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

/**
 * A reader with an event stream. It reconnects with Last-Event-ID when the stream breaks, and loads the feed at the
 * start and after each reset.
 */
class Subscriber extends Loops {
  /** When each post came, by its id. */
  readonly received = new Map<string, number>();
  /** How often the stream broke or could not be opened. */
  broken = 0;
  resets = 0;
  position: string | undefined;
  #url: string;
  #call: CallEndpoint;
  #close = (): void => {};

  constructor(address: string) {
    super();
    this.#url = `${address}/api/v1/events`;
    this.#call = createClient({ baseUrl: address });
    this.begin([() => this.#subscribe()], reopenMs);
  }

  override async stop(): Promise<void> {
    this.stopped = true;
    this.#close();
    await super.stop();
  }

  async #subscribe(): Promise<void> {
    try {
      const headers: Record<string, string> = this.position ? { 'last-event-id': this.position } : {};
      const { ended, close } = await readEvents(this.#url, headers, (event) => this.#receive(event));
      this.#close = close;
      await ended;
    } catch {
      // The next round opens the stream again.
    }
    if (!this.stopped) this.broken += 1;
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
    while (!this.stopped) {
      const page = await this.#call('GET /posts', { query: { limit: pageLimit, ...from } }).catch(() => undefined);
      for (const { id } of page?.posts ?? []) this.#add(id);
      if (!page) await sleep(reopenMs);
      else if (page.next === null || page.posts.every(({ id }) => known.has(id))) return;
      else from = { cursor: page.next };
    }
  }
}
