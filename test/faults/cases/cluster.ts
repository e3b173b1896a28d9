import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostPage } from '#contract/posts.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { count } from '../../measurements/numbers.ts';
import { signedInPeople } from '../../measurements/people.ts';
import { below, none } from '../../measurements/report.ts';
import { ask } from '../../kit/ask.ts';
import { auditOpen, nothingLost } from '../kit/audit.ts';
import { BusyWall, startProcesses } from '../kit/busy-wall.ts';
import { Loops, post, Responses } from '../kit/load.ts';
import { killedPostgres, PatroniCluster, type Trouble, troubles } from '../kit/patroni-cluster.ts';
import { type Extent, type Fault, until, within } from '../fault.ts';

const processes = 3;
const writers = 12;
const likers = 3;
const rounds = { short: [killedPostgres], whole: [...troubles, ...troubles] };
const atLeast = { short: 20, whole: 2_000 };
/** Time before and after a trouble. */
const calmMs = { short: 300, whole: 1_500 };
const withoutWritesUnderMs = 10_000;
const heardWithinMs = 1_000;
const likePauseMs = 20;
const refusedUnder = { short: 0.5, whole: 0.01 };

const programs = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/lib/postgresql/15/bin/postgres', '/usr/sbin/haproxy'];

/** A real cluster fails over under three busy processes, which keep running. */
export const cluster: Fault = {
  name: 'cluster',
  async lacks() {
    if (process.getuid?.() !== 0) return 'network namespaces need root';
    const missing = programs.filter((program) => !existsSync(program));
    return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined;
  },
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const postgres = cleanup.use(await PatroniCluster.start());
    const people = await signedInPeople(postgres.storage, writers + likers);
    const settings = Array.from({ length: processes }, () => ({ DATABASE_READ_URL: postgres.readUrls }));
    const { servers, addresses } = await startProcesses(cleanup, postgres.storage, settings);

    const wall = new BusyWall(addresses, people.slice(likers));
    const reads = new FreshReads(addresses);
    for (const [i, address] of addresses.entries())
      wall.writers[i]!.onResponse = (_outcome, _ms, id) => void (id && reads.acknowledged(address, id));
    /** `post:person` of each acknowledged like. */
    const likes = new Set<string>();
    const liking = people.slice(0, likers).map(({ id, token }, i) => async () => {
      const one = [...wall.writers[i]!.acknowledged.keys()].findLast((written) => !likes.has(`${written}:${id}`));
      if (one === undefined) return;
      const { outcome } = await post(`${addresses[i]}/api/v1/posts/${one}/likes`, { token });
      if (outcome === 200) likes.add(`${one}:${id}`);
    });
    const likingOn = new Loops(liking, likePauseMs);
    await wall.busy();

    const times: Round[] = [];
    for (const trouble of rounds[extent]) times.push(await round(trouble, postgres, wall, reads, addresses, extent));
    await wall.reached(atLeast[extent]);
    await until(() => people.slice(0, likers).every(({ id }) => [...likes].some((like) => like.endsWith(`:${id}`))));
    await Promise.all([reads.stop(), likingOn.stop(), wall.stop()]);

    const db = await openDatabase(postgres.storageOf(await postgres.whole()), () => {});
    const found = await auditOpen(db, wall.acknowledged);
    const stored = await db.read.selectFrom('likes').select(['post_id', 'user_id']).execute();
    const lost = likes.difference(new Set(stored.map((row) => `${row.post_id}:${row.user_id}`))).size;
    await db.close();
    const ended = servers.filter(({ child }) => child.exitCode !== null || child.signalCode !== null);
    const { stale, judged } = reads.judge();
    const worst = (of: 'withoutWritesMs' | 'heardMs'): [ms: number, each: string] => [
      Math.max(...times.map((one) => one[of])),
      times.map((one) => `${one.trouble} ${Math.round(one[of])}`).join(', '),
    ];
    const { responses } = reads;
    const [withoutMs, withoutEach] = worst('withoutWritesMs');
    const [heardMs, heardEach] = worst('heardMs');
    const first = 'the first post after that in the event streams of all processes';
    return [
      nothingLost(`a cluster of three machines in trouble × ${times.length}`, found, atLeast[extent]),
      none('likes lost', lost, 'lost', `${count(likes.size)} acknowledged`, { enough: likes.size > 0 }),
      wall.receivedAll('events while a cluster is in trouble'),
      within(
        extent,
        'no write acknowledged while a cluster is in trouble',
        withoutMs,
        withoutWritesUnderMs,
        `the slowest of ${processes} processes: ${withoutEach}`,
      ),
      within(extent, first, heardMs, heardWithinMs, heardEach),
      none('stale responses', stale.length, 'stale', stale[0] ?? `${count(judged)} reads of the feed judged`),
      none('reads that failed', responses.except(200, 503).total, 'failed', responses.toString()),
      // A page may be refused if something on it was replaced in the last moment before the primary was lost.
      below(
        'reads refused',
        responses.except(200).total / responses.total,
        refusedUnder[extent],
        reads.firstFailure ?? 'none',
        (share) => `${(100 * share).toFixed(2)} %`,
      ),
      none('processes that ended', ended.length, 'ended', `${processes} processes, never restarted`),
    ];
  },
};

interface Round {
  trouble: string;
  withoutWritesMs: number;
  heardMs: number;
}

/** Ends when the cluster is whole again. */
async function round(
  { name, takesOver, happen }: Trouble,
  postgres: PatroniCluster,
  wall: BusyWall,
  reads: FreshReads,
  addresses: readonly string[],
  extent: Extent,
): Promise<Round> {
  const duringMs = calmMs[extent];
  await sleep(duringMs);
  const leader = await postgres.whole();
  const from = performance.now();
  await happen(postgres, leader);
  if (takesOver) await postgres.takenOver(leader);
  else await sleep(duringMs);
  await wall.acknowledgedEverywhere();
  await sleep(duringMs);
  postgres.mend();
  await postgres.whole();
  await wall.acknowledgedEverywhere();
  await sleep(duringMs);
  const gap = reads.longestGap(from);
  const first = reads.firstWritten(gap.to);
  const eachWithout = addresses.map((address) => reads.longestGap(from, address));
  const heard = wall.subscribers.map(({ received }) => (received.get(String(first.id)) ?? Infinity) - first.at);
  return {
    trouble: name,
    withoutWritesMs: Math.max(...eachWithout.map((one) => one.to - one.from)),
    heardMs: Math.max(...heard),
  };
}

const readPauseMs = 50;
const limit = 20;

interface Form {
  path: string;
  headers: Record<string, string>;
  /** Newest first. */
  idsOf(body: string): number[];
}

const json: Form = {
  path: `/api/v1/posts?limit=${limit}`,
  headers: {},
  idsOf: (body) => (JSON.parse(body) as PostPage).posts.map(({ id }) => Number(id)),
};

/** Requests the page as a reload does, so the response must have every post. */
const html: Form = {
  path: '/',
  headers: { accept: 'text/html', 'cache-control': 'max-age=0' },
  idsOf: (body) => [...new Set([...body.matchAll(/href="\/posts\/(\d+)"/g)].map(([, id]) => Number(id)))],
};

/** The addresses that each reader of a process reads. A read may wait while the primary is away; the others go on. */
const readers = [json, json, json, html];
/** Within this time, the other processes show an acknowledged post. */
const othersWithinMs = 1_000;
/** A primary that has not answered a process for this long counts as away. */
const silentAfterMs = 1_000;

interface Acknowledged {
  at: number;
  address: string;
  id: number;
}

interface Read {
  began: number;
  ended: number;
  address: string;
  /** Newest first. */
  ids: readonly number[];
}

/** From when on a read of a process has to show a post; `after` is the end of its last pause. */
const dueAt = ({ at, address }: Acknowledged, reading: string, after: number): number =>
  address === reading ? Math.max(at, after) : Math.max(at, after) + othersWithinMs;

/** A time without an acknowledged write. */
interface Gap {
  from: number;
  to: number;
}

/** Visitors who read the feed of several processes, and what its responses lacked. */
class FreshReads extends Loops {
  readonly responses = new Responses();
  /** The first response that was no feed, in words. */
  firstFailure: string | undefined;
  /** In the order of their time. */
  #written: Acknowledged[] = [];
  #reads: Read[] = [];

  constructor(addresses: readonly string[]) {
    super();
    const reading = addresses.flatMap((address) => readers.map((form) => () => this.#read(address, form)));
    this.begin(reading, readPauseMs);
  }

  acknowledged(address: string, id: string): void {
    this.#written.push({ at: performance.now(), address, id: Number(id) });
  }

  /** The longest time after `since` without an acknowledged write, at one address or anywhere. */
  longestGap(since: number, address?: string): Gap {
    const there = this.#written.filter((one) => one.at > since && (!address || one.address === address));
    const times = there.map(({ at }) => at);
    let longest: Gap = { from: since, to: since };
    for (const [i, to] of times.entries()) {
      const from = times[i - 1] ?? since;
      if (to - from > longest.to - longest.from) longest = { from, to };
    }
    return longest;
  }

  /** The first post that was acknowledged at or after a time. */
  firstWritten(time: number): Acknowledged {
    return this.#written.find(({ at }) => at >= time)!;
  }

  /**
   * Reads that lack a post: one acknowledged by the same process before, or by another a second before. While a process
   * acknowledges nothing, the primary may be away, so a read that touches such a pause is not judged. At its end the process has
   * reached the primary: posts of its own are due at once, others after a second.
   */
  judge(): { stale: string[]; judged: number } {
    const pauses = Map.groupBy(this.#pauses(), ({ address }) => address);
    const stale: string[] = [];
    let judged = 0;
    for (const read of this.#reads) {
      const own = pauses.get(read.address) ?? [];
      if (own.some(({ from, to }) => read.ended > from && read.began < to)) continue;
      judged += 1;
      const after = Math.max(0, ...own.filter(({ to }) => to <= read.began).map(({ to }) => to));
      const lacking = this.#before(read.began).find(
        (one) =>
          one.id > (read.ids.at(-1) ?? 0) && !read.ids.includes(one.id) && dueAt(one, read.address, after) < read.began,
      );
      if (lacking)
        stale.push(`${read.address} lacked ${lacking.id} of ${lacking.address} after ${read.began - lacking.at} ms`);
    }
    return { stale, judged };
  }

  /** The times without a post acknowledged by a process in which it may have found the primary silent. */
  #pauses(): Array<Gap & { address: string }> {
    const last = new Map<string, number>();
    const found: Array<Gap & { address: string }> = [];
    for (const { address, at: to } of this.#written) {
      const from = last.get(address) ?? to;
      last.set(address, to);
      if (to - from > silentAfterMs) found.push({ address, from, to });
    }
    return found;
  }

  /** The last posts acknowledged before a time, which the first page of the feed may have to show. */
  #before(time: number): readonly Acknowledged[] {
    let [low, high] = [0, this.#written.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#written[middle]!.at < time) low = middle + 1;
      else high = middle;
    }
    return this.#written.slice(Math.max(0, low - 10 * limit), low);
  }

  async #read(address: string, { path, headers, idsOf }: Form): Promise<void> {
    const began = performance.now();
    const { outcome, body } = await ask(address + path, { headers });
    this.responses.add(outcome);
    if (outcome !== 200) {
      this.firstFailure ??= `${address}${path} after ${Math.round(performance.now() - began)} ms: ${outcome} ${body}`;
      return;
    }
    this.#reads.push({ began, ended: performance.now(), address, ids: idsOf(body) });
  }
}
