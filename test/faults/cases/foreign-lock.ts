import { setTimeout as sleep } from 'node:timers/promises';
import { count, milliseconds } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { freshPlace } from '../../kit/engines.ts';
import { lockFor } from '../../kit/foreign-lock.ts';
import { audit, nothingLost } from '../kit/audit.ts';
import { LoadedWall } from '../kit/loaded-wall.ts';
import { type Extent, type Fault, limitOf } from '../fault.ts';

const times = { short: 1, whole: 5 };
/** The storage engine's own test has the long lock. */
const locksMs = { short: [2_000], whole: [2_000, 7_000] };
const betweenMs = 500;
/** How long a write waits for the lock before it is rejected. */
const patienceMs = 5_000;
const readWithinMs = 300;
const readPaths = ['/', '/api/v1/posts?limit=50', '/api/v1/posts/1', '/healthz', '/readyz'];

/** Another process holds SQLite's write lock while people write: for a while, and for longer than a write waits. */
export const foreignLock: Fault = {
  name: 'foreign-lock',
  async run(extent) {
    const figures: Figure[] = [];
    for (const lockMs of locksMs[extent]) figures.push(...(await locked(lockMs, extent)));
    return figures;
  },
};

async function locked(lockMs: number, extent: Extent): Promise<Figure[]> {
  await using fresh = await freshPlace('sqlite');
  await using wall = await LoadedWall.open(fresh.place);
  const server = await wall.start({ LOG_LEVEL: 'fatal' });
  const writing = wall.write();
  await writing.next(201);
  const reading = wall.read(readPaths);
  let slowestWriteMs = 0;
  let earliestRejectionMs = Infinity;
  let readsInALock = Infinity;
  writing.onResponse = (outcome, tookMs) => {
    if (outcome === 201) slowestWriteMs = Math.max(slowestWriteMs, tookMs);
    else earliestRejectionMs = Math.min(earliestRejectionMs, tookMs);
  };
  for (let i = 0; i < times[extent]; i += 1) {
    const { released } = await lockFor(lockMs, fresh.place.dataDir);
    const before = reading.tookMs.length;
    await released;
    readsInALock = Math.min(readsInALock, reading.tookMs.length - before);
    await sleep(betweenMs);
  }
  await writing.stop();
  await reading.stop();
  await server.stop();
  const found = await audit(fresh.place, writing.acknowledged);
  const seconds = `${lockMs / 1_000} s`;
  const rejects = lockMs > patienceMs;
  const readsUnderMs = limitOf(extent, readWithinMs);
  return [
    nothingLost(`a foreign lock of ${seconds} × ${times[extent]} under write load`, found, 32),
    {
      what: `reads during a lock of ${seconds}`,
      measured: `slowest ${milliseconds(reading.slowestMs)}`,
      target: `< ${milliseconds(readsUnderMs)}, all 200`,
      // More than were under way when it began.
      ok: reading.slowestMs < readsUnderMs && readsInALock > readPaths.length && reading.responses.areOnly(200),
      detail: `${reading.responses.toString()}; ${count(readsInALock)} in a lock`,
    },
    {
      what: `writes during a lock of ${seconds}`,
      measured: rejects
        ? `rejected after ≥ ${milliseconds(earliestRejectionMs)}`
        : `slowest ${milliseconds(slowestWriteMs)}`,
      target: rejects ? `503 after ≥ ${milliseconds(patienceMs)}` : 'all acknowledged',
      // A machine that does not get round to releasing a short lock makes it a long one.
      ok:
        writing.responses.areOnly(201, 503) &&
        earliestRejectionMs >= patienceMs &&
        (writing.responses.has(503) || !rejects),
      detail: `${writing.responses.toString()}; slowest acknowledged ${milliseconds(slowestWriteMs)}`,
    },
  ];
}
