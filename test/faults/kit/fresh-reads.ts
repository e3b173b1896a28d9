import type { PostPage } from '#contract/posts.ts';
import { ask } from '../../kit/ask.ts';
import { Loops } from './loops.ts';
import { Responses } from './responses.ts';

const pauseMs = 50;
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

/** Asked for by a reload, so that it may lack nothing. */
const html: Form = {
  path: '/',
  headers: { accept: 'text/html', 'cache-control': 'max-age=0' },
  idsOf: (body) => [...new Set([...body.matchAll(/href="\/posts\/(\d+)"/g)].map(([, id]) => Number(id)))],
};

/** The addresses that each reader of a process reads. A read may wait while the primary is away; the others go on. */
const readers = [json, json, json, html];
/** An acknowledged post through another process is shown after this time. */
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
export interface Gap {
  from: number;
  to: number;
}

/** Visitors who read the feed of several processes, and what its responses lacked. */
export class FreshReads {
  readonly responses = new Responses();
  /** The first response that was no feed, in words. */
  firstFailure: string | undefined;
  /** In the order of their time. */
  #written: Acknowledged[] = [];
  #reads: Read[] = [];
  #loops: Loops;

  constructor(addresses: readonly string[]) {
    this.#loops = new Loops(
      addresses.flatMap((address) => readers.map((form) => () => this.#read(address, form))),
      pauseMs,
    );
  }

  acknowledged(address: string, id: string): void {
    this.#written.push({ at: performance.now(), address, id: Number(id) });
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  get number(): number {
    return this.#reads.length;
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
