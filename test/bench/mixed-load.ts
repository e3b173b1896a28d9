import { setTimeout as sleep } from 'node:timers/promises';
import { count, median, megabytes, milliseconds } from '../measurements/numbers.ts';
import { feedPage, pageAfter, postPath, randomIds } from '../measurements/paths.ts';
import type { Person } from '../measurements/people.ts';
import { atLeast, type Figure } from '../measurements/report.ts';
import { liking, publishing, replying, Requests, type RequestSource, weighted } from '../measurements/requests.ts';
import { runLoad, runSteadily } from '../measurements/run-load.ts';
import type { Servers } from '../measurements/servers.ts';
import type { ServerProcess } from '../kit/server-process.ts';
import { rawServer } from './raw.ts';
import { openStreams } from './live-streams.ts';
import { pageConnections, type Scenario } from './rounds.ts';

/** Sizes of a run. */
export interface MixedLoad {
  posts: number;
  /** Pages with an event stream. */
  listening: number;
  /** Length of one probe of the limit. What the server can sustain shows only after the caches and the heap have settled. */
  probeSeconds: number;
  /** Requests per second that the limit should reach. */
  atLeastPerSecond: number;
  seconds: number;
  /** The load of the long run, as a share of the limit that the probes have found. */
  share: number;
  p99UnderMs: number;
  /** The p99 of the long run may be this many times that of the bare server under the same load. */
  p99Times: number;
  /** Growth of memory that is allowed. */
  grows: number;
}

/** The whole form, which takes about a quarter of an hour. */
export const wholeMixedLoad: MixedLoad = {
  posts: 100_000,
  listening: 500,
  probeSeconds: 60,
  atLeastPerSecond: 5_000,
  seconds: 300,
  share: 0.8,
  p99UnderMs: 50,
  p99Times: 10,
  grows: 0.1,
};

const people = 30;
const connections = pageConnections;
/** Factor from one rate to the next lower one that is tried. */
const step = 0.9;
const sampleEveryMs = 1_000;
/** The first fifth of the samples is warming up. The second and the last fifth are compared. */
const warmUp = 0.2;

export const mixedLoad: Scenario = {
  name: 'mixed-load',
  measure: ({ servers }) => measureMixedLoad(servers, wholeMixedLoad),
};

/** A mixture of everything that people do: first the highest rate that the server sustains, then most of it for minutes. */
export async function measureMixedLoad(servers: Servers, load: MixedLoad): Promise<Figure[]> {
  const { posts, listening, probeSeconds, seconds, share, p99UnderMs, p99Times, grows } = load;
  const { server, people: signedIn } = await servers.writable(posts, people);
  const requests = mixture(signedIn, posts);
  const paths = Array.from({ length: listening }, () => '/api/v1/events');
  await using pages = new AsyncDisposableStack();
  pages.use(await openStreams(server.port, paths));

  const limit = await steadyLimit(server.port, requests, load);
  const perSecond = limit * share;
  const raw = await rawServer(server.address, [feedPage, '/', postPath(1), '/posts/1']);
  const bare = await runSteadily({ port: raw.port, requests, seconds: probeSeconds, connections, perSecond });
  await raw.stop();
  const [result, memory] = await Promise.all([
    runSteadily({ port: server.port, requests, seconds, connections, perSecond }),
    memoryOver(server, seconds),
  ]);
  const growth = memory.end / memory.begin - 1;
  const what = `mixed load at ${share * 100} % of its limit for ${seconds} s`;
  return [
    atLeast(
      `limit of a mixed load, by probes of ${probeSeconds} s`,
      limit,
      load.atLeastPerSecond,
      '/s',
      `p99 still under ${milliseconds(p99UnderMs)}; 28 % HTML, 10 % writes; ${listening} pages open`,
    ),
    {
      what,
      measured: `p99 ${milliseconds(result.p99Ms)}`,
      target: `≤ ${p99Times} × raw, no error`,
      ok: result.p99Ms <= p99Times * bare.p99Ms,
      detail: `raw ${milliseconds(bare.p99Ms)} in ${probeSeconds} s; ${count(result.count)} requests, ${count(result.perSecond)}/s of ${count(limit)}/s; p50 ${milliseconds(result.p50Ms)}, max ${milliseconds(result.maxMs)}; ${listening} pages open`,
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
 * The highest rate at which responses are still in time. A closed loop reaches a higher rate, because its requests wait
 * for the server and more writes share a sync.
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

/** In a hundred requests 72 are from visitors, 18 from signed-in people who read, and 10 are writes. */
function mixture(signedInPeople: readonly Person[], posts: number): RequestSource {
  const tokens = signedInPeople.map(({ token }) => token);
  const ids = randomIds(5_000, posts);
  const reading = (path: (id: number) => string) => new Requests(ids.map(path));
  const signedIn = (path: (id: number) => string) =>
    new Requests(ids.map(path), { authorization: `Bearer ${tokens[0]}` });
  return weighted([
    { parts: 22, requests: reading(() => feedPage) },
    { parts: 18, requests: reading(() => '/') },
    { parts: 10, requests: reading((id) => `/posts/${id}`) },
    { parts: 8, requests: reading(postPath) },
    { parts: 8, requests: reading((id) => `${postPath(id)}/replies?limit=10`) },
    { parts: 6, requests: reading(pageAfter) },
    { parts: 10, requests: signedIn(() => feedPage) },
    { parts: 4, requests: signedIn(postPath) },
    { parts: 4, requests: signedIn(() => '/api/v1/users/current/notifications?limit=10') },
    { parts: 6, requests: liking(tokens, ids) },
    { parts: 2, requests: publishing(tokens) },
    { parts: 2, requests: replying(tokens, ids) },
  ]);
}

/** The medians of the samples after warming up and of the last ones. */
async function memoryOver(server: ServerProcess, seconds: number): Promise<{ begin: number; end: number }> {
  const samples: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await sleep(sampleEveryMs);
    samples.push((await server.usage()).memoryBytes);
  }
  const part = Math.max(1, Math.floor(samples.length * warmUp));
  return { begin: median(samples.slice(part, 2 * part)), end: median(samples.slice(-part)) };
}
