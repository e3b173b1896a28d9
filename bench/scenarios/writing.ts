import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '../door.ts';
import { count, milliseconds, standing } from '../format.ts';
import { type RequestSource, Requests } from '../load/requests.ts';
import { runLoad } from '../load/run-load.ts';
import type { Standing } from '../load/take-turns.ts';
import { liking, mixed, publishing } from '../load/writing.ts';
import { feedPage, randomIds } from '../paths.ts';
import type { Bench, Figure, Scenario } from '../scenario.ts';
import { onDisk } from '../servers/on-disk.ts';
import type { Servers } from '../servers/servers.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { median } from '../statistics.ts';
import { likeOne, publishOne, type Write, writeWithEngineAlone } from '../writes/engine-alone.ts';

const posts = 100_000;
const clients = 64;
const people = 16;
const rounds = 5;
const warmUpSeconds = 2;
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
  what: 'likes given and taken back, durable, 64 clients',
  atLeast: 5_000,
  write: likeOne,
  requests: (tokens) => liking(tokens, randomIds(2_000, posts)),
});

interface Writing {
  name: string;
  what: string;
  /** A second. */
  atLeast: number;
  write: Write;
  requests: (tokens: string[]) => RequestSource;
}

/** Writes through the front door, against the same rows written straight on the storage engine. */
function writing({ name, what, atLeast, write, requests: makeRequests }: Writing): Scenario {
  return {
    name,
    async measure({ servers, seconds }) {
      const { app, tokens } = await inhabited(servers);
      const requests = makeRequests(tokens);
      const folder = await onDisk();
      const load = { port: app.port, requests, connections: clients };
      await runLoad({ ...load, seconds: warmUpSeconds });
      const ours: Standing[] = [];
      const alone: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const before = await app.usage();
        const result = await runLoad({ ...load, seconds });
        const after = await app.usage();
        const { perSecond, p99Ms } = result;
        ours.push({
          perSecond,
          p99Ms,
          cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / result.count,
        });
        alone.push(await writeWithEngineAlone(join(folder, `${round}.sqlite`), write, seconds));
      }
      await rm(folder, { recursive: true });
      const of = (key: keyof Standing) => median(ours.map((round) => round[key]));
      const rate = of('perSecond');
      const ratio = rate / median(alone);
      const detail = standing({ perSecond: rate, p99Ms: of('p99Ms'), cpuMicroseconds: of('cpuMicroseconds') });
      return [
        {
          what,
          measured: `${count(rate)}/s`,
          target: `≥ ${count(atLeast)}/s`,
          ok: rate >= atLeast,
          detail,
        },
        {
          what: `${what}: of the engine alone`,
          measured: `${ratio.toFixed(2)} × engine`,
          target: `≥ ${ofEngine} × engine`,
          ok: ratio >= ofEngine,
          detail: `the same rows from 64 clients straight on the engine: ${count(median(alone))}/s`,
        },
      ];
    },
  };
}

const readsPerWrite = 20;
const keeps = 0.7;

/** The feed read while others write. */
export const feedUnderWrites: Scenario = {
  name: 'feed-under-writes',
  measure: async (bench) => [
    await underWrites(bench, 'posts published', publishing),
    await underWrites(bench, 'likes', (tokens) => liking(tokens, randomIds(2_000, posts))),
  ],
};

async function underWrites(
  { servers, seconds }: Bench,
  what: string,
  writes: (tokens: string[]) => RequestSource,
): Promise<Figure> {
  const { app, tokens } = await inhabited(servers);
  const reads = new Requests(1, () => feedPage);
  const both = mixed(reads, writes(tokens), readsPerWrite);
  const load = { port: app.port, connections: clients };
  await runLoad({ ...load, requests: both, seconds: warmUpSeconds });
  const quiet: number[] = [];
  const busy: number[] = [];
  const p99: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    quiet.push((await runLoad({ ...load, requests: reads, seconds })).perSecond);
    const result = await runLoad({ ...load, requests: both, seconds });
    busy.push((result.perSecond * readsPerWrite) / (readsPerWrite + 1));
    p99.push(result.p99Ms);
  }
  const kept = median(busy) / median(quiet);
  return {
    what: `feed page beside ${what}, one to ${readsPerWrite} reads`,
    measured: `${kept.toFixed(2)} × alone`,
    target: `≥ ${keeps} × alone`,
    ok: kept >= keeps,
    detail: `${count(median(busy))} reads and ${count(median(busy) / readsPerWrite)} writes a second (p99 ${milliseconds(median(p99))}); reads alone ${count(median(quiet))}/s`,
  };
}

/** A wall to write to, and people who are signed in to it. */
async function inhabited(servers: Servers): Promise<{ app: ServerProcess; tokens: string[] }> {
  const app = await servers.writable(posts);
  const mail = await servers.mail();
  const tokens: string[] = [];
  for (let i = 0; i < people; i += 1) tokens.push(await signIn(app.port, mail, `writer${app.port}n${i}@example.org`));
  return { app, tokens };
}
