import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../../bench/door.ts';
import { count, megabytes, milliseconds } from '../../bench/format.ts';
import { listen } from '../../bench/load/listen.ts';
import { Requests, type RequestSource } from '../../bench/load/requests.ts';
import { runLoad } from '../../bench/load/run-load.ts';
import { runSteadily } from '../../bench/load/run-steadily.ts';
import { weighted } from '../../bench/load/weighted.ts';
import { answering, liking, publishing } from '../../bench/load/writing.ts';
import { feedPage, pageAfter, postPath, randomIds } from '../../bench/paths.ts';
import type { Figure } from '../../bench/scenario.ts';
import type { ServerProcess } from '../../bench/servers/server-process.ts';
import { Servers } from '../../bench/servers/servers.ts';
import { median } from '../../bench/statistics.ts';
import type { Extent, Trial } from '../trial.ts';

/** A short one shares its machine with other tests, and says only that nothing fails. */
const sizes = {
  short: { posts: 1_000, listening: 50, probeSeconds: 1, seconds: 4, share: 0.3, p99UnderMs: 1_000, grows: 2 },
  whole: { posts: 100_000, listening: 500, probeSeconds: 15, seconds: 300, share: 0.8, p99UnderMs: 50, grows: 0.1 },
};
const people = 30;
const connections = 256;
/** From one rate to the next lower one that is tried. */
const step = 0.9;
const sampleEveryMs = 1_000;
/** The first part warms up; the last is compared with what came after that. */
const warmUp = 0.2;

/** All that people do, in one mixture: found out how much of it the server can take, then most of that for minutes. */
export const mixedLoad: Trial = {
  name: 'mixed-load',
  async run(extent) {
    const servers = new Servers();
    try {
      return await loaded(servers, extent);
    } finally {
      await servers.stop();
    }
  },
};

async function loaded(servers: Servers, extent: Extent): Promise<Figure[]> {
  const { posts, listening, seconds, share, p99UnderMs, grows } = sizes[extent];
  const app = await servers.writable(posts);
  const requests = await mixture(servers, app, posts);
  const pages: Socket[] = [];
  for (let i = 0; i < listening; i += 1) pages.push((await listen(app.port)).resume());

  const limit = await steadyLimit(app.port, requests, sizes[extent]);
  const perSecond = limit * share;
  const [result, memory] = await Promise.all([
    runSteadily({ port: app.port, requests, seconds, connections, perSecond }),
    memoryOver(app, seconds),
  ]);
  for (const page of pages) page.destroy();
  const growth = memory.end / memory.begin - 1;
  const what = `mixed load at ${share * 100} % of its limit for ${seconds} s`;
  return [
    {
      what,
      measured: `p99 ${milliseconds(result.p99Ms)}`,
      target: `< ${milliseconds(p99UnderMs)}, no error`,
      ok: result.p99Ms < p99UnderMs,
      detail: `${count(result.count)} requests, ${count(result.perSecond)}/s of ${count(limit)}/s; p50 ${milliseconds(result.p50Ms)}, longest ${milliseconds(result.maxMs)}; ${listening} pages open`,
    },
    {
      what: `${what}: memory`,
      measured: `${(growth * 100).toFixed(1)} %`,
      target: `≤ ${grows * 100} %`,
      ok: growth <= grows,
      detail: `${megabytes(memory.begin)} after warming up, ${megabytes(memory.end)} at the end`,
    },
  ];
}

/**
 * The highest rate at which answers still come in time. What it can do at most is more, but there requests come as it
 * has time for them, and of writes more go to the disk together.
 */
async function steadyLimit(
  port: number,
  requests: RequestSource,
  { probeSeconds, p99UnderMs }: { probeSeconds: number; p99UnderMs: number },
): Promise<number> {
  const load = { port, requests, seconds: probeSeconds, connections };
  for (let { perSecond } = await runLoad(load); ; perSecond *= step) {
    if ((await runSteadily({ ...load, perSecond })).p99Ms < p99UnderMs) return perSecond;
  }
}

/** Of a hundred requests 72 are visitors', 18 signed-in people's, 10 write. */
async function mixture(servers: Servers, app: ServerProcess, posts: number): Promise<RequestSource> {
  const mail = await servers.mail();
  const tokens: string[] = [];
  for (let i = 0; i < people; i += 1) tokens.push(await signIn(app.port, mail, `person${i}@example.org`));
  const ids = randomIds(5_000, posts);
  const id = (i: number): number => ids[i % ids.length]!;
  const reading = (path: (i: number) => string) => new Requests(ids.length, path);
  const signedIn = (path: (i: number) => string) =>
    new Requests(ids.length, path, { authorization: `Bearer ${tokens[0]}` });
  return weighted([
    { parts: 22, requests: reading(() => feedPage) },
    { parts: 18, requests: reading(() => '/') },
    { parts: 10, requests: reading((i) => `/posts/${id(i)}`) },
    { parts: 8, requests: reading((i) => postPath(id(i))) },
    { parts: 8, requests: reading((i) => `${postPath(id(i))}/replies?limit=10`) },
    { parts: 6, requests: reading((i) => pageAfter(id(i))) },
    { parts: 10, requests: signedIn(() => feedPage) },
    { parts: 4, requests: signedIn((i) => postPath(id(i))) },
    { parts: 4, requests: signedIn(() => '/api/v1/users/current/answers?limit=10') },
    { parts: 6, requests: liking(tokens, ids) },
    { parts: 2, requests: publishing(tokens) },
    { parts: 2, requests: answering(tokens, ids) },
  ]);
}

/** The middle of the samples after warming up, and of the last ones. */
async function memoryOver(app: ServerProcess, seconds: number): Promise<{ begin: number; end: number }> {
  const samples: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await sleep(sampleEveryMs);
    samples.push((await app.usage()).memoryBytes);
  }
  const part = Math.max(1, Math.floor(samples.length * warmUp));
  return { begin: median(samples.slice(part, 2 * part)), end: median(samples.slice(-part)) };
}
