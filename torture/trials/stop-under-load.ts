import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { count, milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import type { Answered } from '../../test/ask.ts';
import { type Engine, engines, freshPlace } from '../../test/engines.ts';
import { readEvents } from '../../test/event-reader.ts';
import type { ServerProcess } from '../../test/server-process.ts';
import { endsWithin } from '../kit/ends-within.ts';
import { audit, kept } from '../kit/ledger.ts';
import { preload } from '../kit/preload.ts';
import { onlyThese, tally } from '../kit/tally.ts';
import { TriedWall } from '../kit/tried-wall.ts';
import type { Extent, Trial } from '../trial.ts';

const stops = { short: 2, whole: 20 };
const streams = 20;
const longestWhileMs = 500;
const stoppedWithinMs = 10_000;
const countRequests = new URL('../preloaded/count-requests.ts', import.meta.url);
/** What `npm start` runs. */
const startScript = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
const readPaths = ['/', '/api/v1/posts?limit=50', '/api/v1/posts/1', '/posts/1', '/feed.xml', '/healthz'];

interface Stop {
  code: number | null;
  tookMs: number;
  /** That the server has taken notice of. */
  requests: number;
  /** Of the event streams, how many were ended as a whole. */
  streamsEnded: number;
}

/** The server is told to stop while people read, write and listen: itself, and by the script that `npm start` runs. */
export const stopUnderLoad: Trial = {
  name: 'stop-under-load',
  async run(extent) {
    const figures: Figure[] = [];
    for (const engine of engines) figures.push(...(await stopped(engine, extent)));
    return figures;
  },
};

async function stopped(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using ending = new AsyncDisposableStack();
  const { place, remove } = await freshPlace(engine);
  ending.defer(remove);
  const wall = ending.use(await TriedWall.open(place));
  const settings = { ...preload(countRequests), PATH: process.env['PATH'] };
  const start = (script?: string) => wall.start(settings, script);

  let server = await start();
  const writing = wall.write();
  await writing.next(201);
  const reading = wall.read(readPaths);
  const seen: Stop[] = [];
  for (let i = 0; i < stops[extent]; i += 1) {
    seen.push(await stop(server));
    server = await start(i % 2 === 0 ? startScript : undefined);
  }
  await writing.stop();
  await reading.stop();
  const last = await stop(server);
  const found = await audit(place, writing.acknowledged);

  const slowest = Math.max(...seen.map(({ tookMs }) => tookMs));
  const sum = (numbers: number[]): number => numbers.reduce((total, n) => total + n, 0);
  const requests = sum([...seen, last].map((one) => one.requests));
  const opened = (seen.length + 1) * streams;
  const answered = wholeAnswers(writing.answers) + wholeAnswers(reading.answers) + opened;
  const ended = sum([...seen, last].map(({ streamsEnded }) => streamsEnded));
  return [
    kept(`SIGTERM × ${seen.length} under load, ${engine}`, found, seen.length * 20),
    {
      what: `told to stop, ${engine}`,
      measured: `slowest ${milliseconds(slowest)}`,
      target: `exit code 0, < ${milliseconds(stoppedWithinMs)}`,
      ok: slowest < stoppedWithinMs && seen.every(({ code }) => code === 0),
      detail: `exit codes ${[...new Set(seen.map(({ code }) => code))].join()}; every other time by scripts/start.mjs`,
    },
    {
      what: `requests that had reached it, ${engine}`,
      measured: `${count(requests - answered)} without a whole answer`,
      target: `0 of ${count(requests)}`,
      ok:
        requests === answered &&
        [writing, reading].every(({ answers }) => onlyThese(answers, [200, 201, 503, 'nothing'])),
      detail: `writers ${tally(writing.answers)}; readers ${tally(reading.answers)}`,
    },
    {
      what: `event streams open meanwhile, ${engine}`,
      measured: `${ended} ended`,
      target: `all ${opened}`,
      ok: ended === opened,
      detail: `${streams} at each stop`,
    },
  ];
}

/** Tells it to stop in the middle of everything. */
async function stop(server: ServerProcess): Promise<Stop> {
  const url = `${server.address}/api/v1/events`;
  const listening = await Promise.all(Array.from({ length: streams }, () => readEvents(url)));
  const ends = Promise.allSettled(listening.map(({ ended }) => ended));
  await sleep(Math.random() * longestWhileMs);
  const from = performance.now();
  server.child.kill('SIGTERM');
  const code = await endsWithin(server, 2 * stoppedWithinMs);
  const tookMs = performance.now() - from;
  const streamsEnded = (await ends).filter(({ status }) => status === 'fulfilled').length;
  const requests = (await server.logs).matchAll(/^requests: (\d+)$/gm).reduce((sum, [, n]) => sum + Number(n), 0);
  return { code, tookMs, requests, streamsEnded };
}

const wholeAnswers = (answers: ReadonlyMap<Answered, number>): number =>
  [...answers].reduce((sum, [answered, times]) => sum + (typeof answered === 'number' ? times : 0), 0);
