import { setTimeout as sleep } from 'node:timers/promises';
import type { Post, PostPage } from '#contract/posts.ts';
import { count } from '../../measurements/numbers.ts';
import { type Person, signedInPeople } from '../../measurements/people.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { freePort } from '../../kit/free-port.ts';
import { PostgresCluster } from '../../kit/postgres-cluster.ts';
import { parseMetrics } from '../../kit/prometheus.ts';
import { startProcesses } from '../kit/busy-wall.ts';
import { Loops } from '../kit/load.ts';
import { type RovingBrowser, rovingBrowser } from '../kit/wall-over-http.ts';
import { type Extent, type Fault, until, within } from '../fault.ts';

const people = { short: 6, whole: 16 };
const reads = { short: 300, whole: 100_000 };
const pausedAtMostMs = { short: 500, whole: 5_000 };
const leftOutUnderMs = 1_000;

/** Public responses are made from two standbys, which fall behind, die and hang. */
export const replicas: Fault = {
  name: 'replicas',
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const primary = cleanup.use(await PostgresCluster.make({ fsync: 'off' }));
    const standbys = [await primary.makeStandby(primary.port, 'one'), await primary.makeStandby(primary.port, 'two')];
    await primary.start();
    for (const standby of standbys) await standby.start();
    const storage = primary.storage();
    const writers = await signedInPeople(storage, people[extent]);
    const readUrls = standbys.map((standby) => standby.url()).join();
    const metrics = [await freePort(), await freePort()];
    const reading = metrics.map((port) => ({ DATABASE_READ_URL: readUrls, METRICS: `127.0.0.1:${port}` }));
    const { addresses } = await startProcesses(cleanup, storage, reading);
    await Promise.all(metrics.map((port) => untilUsed(port, 2)));

    return [
      await behindOwnWrites(standbys, addresses, writers, extent),
      ...(await losses(standbys, addresses, metrics, writers, extent)),
    ];
  },
};

/** Every read must show the reader's own write, whichever server it goes to and however far the standbys are behind. */
async function behindOwnWrites(
  standbys: readonly PostgresCluster[],
  addresses: readonly string[],
  writers: readonly Person[],
  extent: Extent,
): Promise<Figure> {
  const writing = new OwnWrites(addresses, writers);
  let pauses = 0;
  while (writing.reads < reads[extent] && writing.failures.length === 0) {
    const everywhere = (act: string) =>
      Promise.all(standbys.map((standby) => standby.query(`select pg_wal_replay_${act}()`)));
    await everywhere('pause');
    await sleep(Math.random() * pausedAtMostMs[extent]);
    await everywhere('resume');
    await sleep((Math.random() * pausedAtMostMs[extent]) / 5);
    pauses += 1;
  }
  await writing.stop();
  const wrong = [...writing.behind, ...writing.failures];
  return none(
    `reads behind one's own write, replay paused × ${pauses}`,
    wrong.length,
    'behind',
    wrong[0] ?? `${count(writing.reads)} reads of ${writers.length} people through ${addresses.length} processes`,
    { enough: writing.reads >= reads[extent] },
  );
}

async function losses(
  [first, second]: readonly PostgresCluster[],
  addresses: readonly string[],
  metrics: readonly number[],
  writers: readonly Person[],
  extent: Extent,
): Promise<Figure[]> {
  const reading = new OwnWrites(addresses, writers);
  const everywhere = (used: number): Promise<number> =>
    Promise.all(metrics.map((port) => untilUsed(port, used))).then((times) => Math.max(...times));
  await everywhere(2);
  await first!.kill();
  const killedMs = await everywhere(1);
  await second!.freeze();
  const frozenMs = await everywhere(0);
  const earlier = reading.reads;
  await until(() => reading.reads > earlier || reading.failures.length > 0);
  await second!.resume();
  const backMs = await everywhere(1);
  await until(() => reading.reads > 0 || reading.failures.length > 0);
  await reading.stop();
  const wrong = [...reading.failures, ...reading.behind];
  return [
    within(extent, 'a killed standby is left out', killedMs, leftOutUnderMs, 'the slower of two processes'),
    within(
      extent,
      'a standby that hangs is left out',
      frozenMs,
      leftOutUnderMs,
      `used again after ${Math.round(backMs)} ms`,
    ),
    none('requests failed meanwhile', wrong.length, 'failed', wrong[0] ?? `of ${count(reading.reads)} reads`, {
      enough: reading.reads > 0,
    }),
  ];
}

/** Milliseconds until a process uses so many standbys. */
function untilUsed(metricsPort: number, wanted: number): Promise<number> {
  return until(async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const series = Object.entries(parseMetrics(await response.text()));
    const used = series.filter(([name, value]) => name.startsWith('stena_postgres_replica_used') && value === 1);
    return used.length === wanted;
  });
}

const readsPerWrite = 9;

/**
 * People who like and unlike their own post, and after each of these writes read it in many ways, as a
 * browser that keeps its cookies and goes to any server.
 */
class OwnWrites extends Loops {
  reads = 0;
  /** The reads that did not show the last write, in words. */
  readonly behind: string[] = [];
  readonly failures: string[] = [];

  constructor(addresses: readonly string[], everybody: readonly Person[]) {
    super();
    const visits = everybody.map((person) => this.#visit(person, rovingBrowser(addresses, person.token)));
    this.begin(visits, 0);
  }

  /** Returns what a person does again and again. */
  #visit({ id: userId, username, token }: Person, browser: RovingBrowser): () => Promise<void> {
    let [likes, round] = [0, 0];
    let id: string | undefined;
    return async () => {
      browser.token = token;
      if (id === undefined) {
        const created = await this.#ask(browser, 'POST', '/posts', { text: `Запись человека ${username}` });
        id = created && (JSON.parse(created) as Post).id;
        return;
      }
      const method = likes === 0 ? 'POST' : 'DELETE';
      if ((await this.#ask(browser, method, `/posts/${id}/likes`)) === undefined) return;
      likes = 1 - likes;
      for (let i = 0; i < readsPerWrite; i += 1) {
        round += 1;
        const list = `/posts?userId=${userId}&limit=${1 + (round % 50)}`;
        const path = [`/posts/${id}`, `/posts/${id}?${round}`, list][i % 3]!;
        // First as the person, then as a visitor.
        browser.token = i < 3 ? token : undefined;
        const body = await this.#ask(browser, 'GET', path);
        if (body === undefined) continue;
        this.reads += 1;
        const found = JSON.parse(body) as Post | PostPage;
        const post = 'posts' in found ? found.posts.find((one) => one.id === id) : found;
        const shown = post?.actions.likes_count;
        if (shown !== likes) this.behind.push(`${path}: ${shown} likes, not ${likes}`);
      }
    };
  }

  /** The body of a successful response. */
  async #ask(browser: RovingBrowser, ...request: Parameters<RovingBrowser['send']>): Promise<string | undefined> {
    const [, path] = request;
    try {
      const { statusCode, body } = await browser.send(...request);
      if (statusCode < 400) return body;
      this.failures.push(`${path}: ${statusCode}`);
    } catch (error) {
      this.failures.push(`${path}: ${String(error)}`);
    }
    return undefined;
  }
}
