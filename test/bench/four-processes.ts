import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#client/create-client.ts';
import { createPost, getPost, likePost, unlikePost } from '#contract/posts.ts';
import { count, median, microseconds, milliseconds, percentile, sum } from '../measurements/numbers.ts';
import { type Person, signedInPeople } from '../measurements/people.ts';
import { below, type Figure } from '../measurements/report.ts';
import { publishing } from '../measurements/requests.ts';
import { runLoad } from '../measurements/run-load.ts';
import { PostgresCluster } from '../kit/postgres-cluster.ts';
import { type ServerProcess, startServer } from '../kit/server-process.ts';
import { shownPost } from '../kit/shown-post.ts';
import { connections, rounds, warmUpSeconds } from './rounds.ts';
import type { Scenario } from './scenario.ts';

const processes = 4;
const people = 16;
const staleAtMostMs = 200;
const probePauseMs = 3;

/** Posts published through four processes on one PostgreSQL, and how long the others then send what they have cached. */
export const fourProcesses: Scenario = {
  name: 'four-processes',
  async measure({ seconds }) {
    await using cleanup = new AsyncDisposableStack();
    const cluster = cleanup.use(await PostgresCluster.make());
    await cluster.start();
    const [reader, ...writers] = await signedInPeople(cluster.place(), people + 1);
    const servers: ServerProcess[] = [];
    for (let i = 0; i < processes; i += 1) {
      servers.push(cleanup.use(await startServer(cluster.place(), { RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' })));
    }
    const tokens = writers.map(({ token }) => token);
    const write = (during: number) =>
      Promise.all(
        servers.map(({ port }) =>
          runLoad({ port, requests: publishing(tokens), seconds: during, connections: connections / processes }),
        ),
      );
    await write(warmUpSeconds);
    const rates: number[] = [];
    const stale: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      rates.push(sum((await write(seconds)).map(({ perSecond }) => perSecond)));
      const written = write(seconds);
      stale.push(...(await staleness(servers, reader!, seconds)));
      await written;
    }
    const idle = await idleShare(servers, seconds);
    return [
      {
        what: `posts published through ${processes} processes, ${connections} clients`,
        measured: `${count(median(rates))}/s`,
        target: 'more than before',
        ok: true,
        detail: `rounds: ${rates.map(count).join(', ')}`,
      },
      below(
        'a cached response of another process lacks a like, p99',
        percentile(stale, 0.99),
        staleAtMostMs,
        `${stale.length} likes seen by ${processes - 1} processes while posts are published; p50 ${milliseconds(percentile(stale, 0.5))}`,
      ),
      {
        what: 'processor time of an idle process',
        measured: `${microseconds(idle)}/s`,
        target: 'little',
        ok: true,
        detail: 'polls included',
      },
    ] satisfies Figure[];
  },
};

/** Times from a like to the last request that another process answered without it, ms. */
async function staleness(servers: readonly ServerProcess[], { token }: Person, seconds: number): Promise<number[]> {
  const [from, ...others] = servers as [ServerProcess, ...ServerProcess[]];
  const write = createClient({ baseUrl: from.address, token });
  const { id } = shownPost(await write(createPost, { body: { text: 'проба' } }));
  const likes = async ({ address }: ServerProcess): Promise<number> =>
    (await createClient({ baseUrl: address })(getPost, { params: { id } })).actions.likes_count;
  const times: number[] = [];
  let liked = 0;
  for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
    for (const server of others) for (let i = 0; i < 2; i += 1) await likes(server);
    liked = 1 - liked;
    await write(liked === 1 ? likePost : unlikePost, { params: { id } });
    const acknowledgedAt = performance.now();
    const waiting = others.map(async (server) => {
      for (let last = 0; ; await sleep(probePauseMs)) {
        const askedAt = performance.now();
        if ((await likes(server)) === liked) return last;
        last = askedAt - acknowledgedAt;
      }
    });
    times.push(...(await Promise.all(waiting)));
  }
  return times;
}

/** Processor time per second of a process that gets no requests, µs. */
async function idleShare(servers: readonly ServerProcess[], seconds: number): Promise<number> {
  await sleep(1_000);
  const of = async (): Promise<number> =>
    sum(await Promise.all(servers.map(async (server) => (await server.usage()).cpuMicroseconds)));
  const before = await of();
  await sleep(seconds * 1_000);
  return ((await of()) - before) / seconds / servers.length;
}
