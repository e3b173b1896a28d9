import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { count, median, milliseconds, times } from '../measurements/numbers.ts';
import { feedPage, randomIds } from '../measurements/paths.ts';
import type { Person } from '../measurements/people.ts';
import { atLeast, below, type Figure } from '../measurements/report.ts';
import { liking, publishing, replying, Requests, type RequestSource, weighted } from '../measurements/requests.ts';
import { type LoadResult, runLoad } from '../measurements/run-load.ts';
import { folderOnDisk } from '../measurements/servers.ts';
import { insertOne, likeOne, publishOne, type Write, writeOneByOne, writeThroughEngine } from './engine-writes.ts';
import {
  type Bench,
  connections,
  cpuTimes,
  measureRound,
  medianRound,
  type Round,
  rounds,
  type Scenario,
  warmUpSeconds,
  words,
} from './rounds.ts';
import { openDemo } from './reading.ts';

const engineRounds = 3;
const timesOneByOne = 5;
const readsUnderMs = 20;

/** Acknowledged writes of single rows by 64 clients and reads beside them, without HTTP. */
export const durableWrites: Scenario = {
  name: 'durable-writes',
  measure: ({ seconds }) => inFolder((folder) => measureEngine(folder, seconds)),
};

async function measureEngine(folder: string, seconds: number): Promise<Figure[]> {
  const oneByOne: number[] = [];
  const engine: Array<{ writes: LoadResult; reads: LoadResult }> = [];
  for (let round = 0; round < engineRounds; round += 1) {
    oneByOne.push(await writeOneByOne(join(folder, `one-by-one-${round}.sqlite`), seconds));
    const file = join(folder, `engine-${round}.sqlite`);
    engine.push(await writeThroughEngine(file, { write: insertOne, seconds, withReads: true }));
  }
  const baseline = median(oneByOne);
  const perSecond = median(engine.map(({ writes }) => writes.perSecond));
  const p99Ms = median(engine.map(({ writes }) => writes.p99Ms));
  return [
    atLeast(
      'durable single-row writes, 64 clients',
      perSecond / baseline,
      timesOneByOne,
      '×',
      `${count(perSecond)}/s (p99 ${milliseconds(p99Ms)}); synchronous=FULL one by one ${count(baseline)}/s`,
    ),
    below(
      'reads beside those writes, p99',
      median(engine.map(({ reads }) => reads.p99Ms)),
      readsUnderMs,
      'the first feed page, from the moment it was due',
    ),
  ];
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await folderOnDisk();
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const posts = 100_000;
const people = 16;
const ofEngine = 0.4;

export const publish = writing({
  name: 'publish',
  what: 'posts published, durable, 64 clients',
  atLeast: 5_000,
  write: publishOne,
  requests: publishing,
});

export const likes = writing({
  name: 'likes',
  what: 'likes and unlikes, durable, 64 clients',
  atLeast: 5_000,
  write: likeOne,
  requests: likingMany,
});

interface Writing {
  name: string;
  what: string;
  /** Writes per second. */
  atLeast: number;
  write: Write;
  requests: (tokens: string[]) => RequestSource;
}

/** Writes over HTTP, against the same rows written by the storage engine alone. */
function writing({ name, what, atLeast: target, write, requests }: Writing): Scenario {
  return {
    name,
    async measure({ servers, seconds }) {
      const { server, people: writers } = await servers.writable(posts, people);
      const side = { server, requests: requests(tokensOf(writers)) };
      const measured: Round[] = [];
      const alone: number[] = [];
      await measureRound(side, warmUpSeconds);
      await inFolder(async (folder) => {
        for (let round = 0; round < rounds; round += 1) {
          measured.push(await measureRound(side, seconds));
          const { writes } = await writeThroughEngine(join(folder, `${round}.sqlite`), { write, seconds });
          alone.push(writes.perSecond);
        }
      });
      const ours = medianRound(measured);
      const perSecond = median(alone);
      return [
        atLeast(what, ours.perSecond, target, '/s', words(ours)),
        atLeast(
          `${what}: against the engine alone`,
          ours.perSecond / perSecond,
          ofEngine,
          '× engine',
          `the same rows written by 64 clients without HTTP: ${count(perSecond)}/s`,
        ),
      ];
    },
  };
}

const readsPerWrite = 20;
const shareOfQuiet = 0.6;
const p99AtMost = 2;

/** The feed is read while others write. */
export const feedUnderWrites: Scenario = {
  name: 'feed-under-writes',
  measure: async (bench) => [
    ...(await underWrites(bench, 'posts published', publishing)),
    ...(await underWrites(bench, 'likes', likingMany)),
  ],
};

async function underWrites(
  { servers, seconds }: Bench,
  what: string,
  writes: (tokens: string[]) => RequestSource,
): Promise<Figure[]> {
  const { server, people: writers } = await servers.writable(posts, people);
  const feed = new Requests([feedPage]);
  const both = weighted([
    { parts: readsPerWrite, requests: feed },
    { parts: 1, requests: writes(tokensOf(writers)) },
  ]);
  const load = { port: server.port, connections };
  await runLoad({ ...load, requests: both, seconds: warmUpSeconds });
  const alone: LoadResult[] = [];
  const beside: LoadResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await runLoad({ ...load, requests: feed, seconds }));
    beside.push(await runLoad({ ...load, requests: both, seconds, counted: isRead }));
  }
  const quiet = median(alone.map(({ perSecond }) => perSecond));
  const reads = median(beside.map(({ perSecond }) => perSecond));
  const quietP99 = median(alone.map(({ p99Ms }) => p99Ms));
  const p99 = median(beside.map(({ p99Ms }) => p99Ms));
  const name = `feed page beside ${what}, one write per ${readsPerWrite} reads`;
  return [
    atLeast(
      name,
      reads / quiet,
      shareOfQuiet,
      '× alone',
      `${count(reads)} reads and ${count(reads / readsPerWrite)} writes a second; reads alone ${count(quiet)}/s`,
    ),
    below(
      `${name}, p99`,
      p99 / quietP99,
      p99AtMost,
      `${milliseconds(p99)}; reads alone ${milliseconds(quietP99)}`,
      times,
    ),
  ];
}

const isRead = (request: Buffer): boolean => request.toString('latin1', 0, 3) === 'GET';

function likingMany(tokens: string[]): RequestSource {
  return liking(tokens, randomIds(2_000, posts));
}

const tokensOf = (writers: readonly Person[]): string[] => writers.map(({ token }) => token);

const depth = 11;

export const replyDepth: Scenario = {
  name: 'reply-depth',
  async measure({ servers, seconds }) {
    const { server, people: writers, storage } = await servers.writable(posts, people);
    const database = openDemo(storage.dataDir);
    // One post of each discussion. 64 is a multiple of `people`, so one person writes all replies to a post. Those of several would also notify the others.
    const deep = database
      .prepare('select min(id) as id from posts where depth = ? group by parent_post_id order by 1 limit 64')
      .all(depth);
    database.close();
    const tokens = tokensOf(writers);
    const ids = deep.map(({ id }) => Number(id));
    const root = { server, requests: publishing(tokens) };
    const reply = { server, requests: replying(tokens, ids) };
    return [await cpuTimes('a reply at depth 12 against a root post', [root, reply], seconds, 1.5)];
  },
};
