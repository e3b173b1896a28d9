import { setTimeout as sleep } from 'node:timers/promises';
import { count, milliseconds, sum } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { type Engine, freshPlace } from '../../kit/engines.ts';
import { readEvents } from '../../kit/event-reader.ts';
import type { ServerProcess } from '../../kit/server-process.ts';
import { audit, nothingLost } from '../kit/audit.ts';
import { endsWithin, LoadedWall, preload } from '../kit/loaded-wall.ts';
import type { Responses } from '../kit/responses.ts';
import { type Extent, type Fault, hangsAfterMs, limitOf, onEachEngine } from '../fault.ts';

const stops = { short: 2, whole: 20 };
const writtenBetween = 20;
const streams = 20;
const longestWhileMs = 500;
const stoppedWithinMs = 10_000;
/** `npm start` runs it. */
const startScript = 'scripts/start.mjs';
const readPaths = ['/', '/api/v1/posts?limit=50', '/api/v1/posts/1', '/posts/1', '/feed.xml', '/healthz'];

interface Stop {
  code: number | null;
  tookMs: number;
  /** Number of requests that reached the server. */
  requests: number;
  /** Number of event streams that the server ended properly. */
  streamsEnded: number;
}

/** The server receives SIGTERM while people read, write and subscribe, directly and through the script of `npm start`. */
export const stopUnderLoad: Fault = {
  name: 'stop-under-load',
  run: (extent) => onEachEngine((engine) => stopped(engine, extent)),
};

async function stopped(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using fresh = await freshPlace(engine);
  await using wall = await LoadedWall.open(fresh.place);
  const settings = { ...preload('count-requests'), PATH: process.env['PATH'] };
  const start = (script?: string) => wall.start(settings, script);

  let server = await start();
  const writing = wall.write();
  await writing.next(201);
  const reading = wall.read(readPaths);
  const seen: Stop[] = [];
  for (let i = 0; i < stops[extent]; i += 1) {
    await writing.reached((i + 1) * writtenBetween);
    seen.push(await stop(server));
    server = await start(i % 2 === 0 ? startScript : undefined);
  }
  await writing.stop();
  await reading.stop();
  const last = await stop(server);
  const found = await audit(fresh.place, writing.acknowledged);

  const underMs = limitOf(extent, stoppedWithinMs);
  const slowest = Math.max(...seen.map(({ tookMs }) => tookMs));
  const requests = sum([...seen, last].map((one) => one.requests));
  const opened = (seen.length + 1) * streams;
  const complete = wholeResponses(writing.responses) + wholeResponses(reading.responses) + opened;
  const ended = sum([...seen, last].map(({ streamsEnded }) => streamsEnded));
  return [
    nothingLost(`SIGTERM × ${seen.length} under load, ${engine}`, found, seen.length * writtenBetween),
    {
      what: `exit after SIGTERM, ${engine}`,
      measured: `slowest ${milliseconds(slowest)}`,
      target: `exit code 0, < ${milliseconds(underMs)}`,
      ok: slowest < underMs && seen.every(({ code }) => code === 0),
      detail: `exit codes ${[...new Set(seen.map(({ code }) => code))].join()}; every other time through ${startScript}`,
    },
    {
      what: `requests that had reached the server, ${engine}`,
      measured: `${count(requests - complete)} without a complete response`,
      target: `0 of ${count(requests)}`,
      ok:
        requests === complete &&
        [writing, reading].every(({ responses }) => responses.areOnly(200, 201, 503, 'nothing')),
      detail: `writers ${writing.responses.toString()}; readers ${reading.responses.toString()}`,
    },
    {
      what: `event streams that were open, ${engine}`,
      measured: `${ended} ended`,
      target: `all ${opened}`,
      ok: ended === opened,
      detail: `${streams} at each stop`,
    },
  ];
}

/** Sends SIGTERM while event streams are open. */
async function stop(server: ServerProcess): Promise<Stop> {
  const url = `${server.address}/api/v1/events`;
  const subscribed = await Promise.all(Array.from({ length: streams }, () => readEvents(url)));
  const ends = Promise.allSettled(subscribed.map(({ ended }) => ended));
  await sleep(Math.random() * longestWhileMs);
  const from = performance.now();
  server.child.kill('SIGTERM');
  const code = await endsWithin(server, hangsAfterMs);
  const tookMs = performance.now() - from;
  const streamsEnded = (await ends).filter(({ status }) => status === 'fulfilled').length;
  const requests = sum([...(await server.logs).matchAll(/^requests: (\d+)$/gm)].map(([, n]) => Number(n)));
  return { code, tookMs, requests, streamsEnded };
}

const wholeResponses = (responses: Responses): number => responses.except('nothing', 'half').total;
