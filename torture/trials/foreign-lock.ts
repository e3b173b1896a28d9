import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { freshPlace } from '../../test/engines.ts';
import { lockFor } from '../../test/foreign-lock.ts';
import { audit, kept } from '../kit/ledger.ts';
import { onlyThese, tally } from '../kit/tally.ts';
import { TriedWall } from '../kit/tried-wall.ts';
import type { Extent, Trial } from '../trial.ts';

const times = { short: 1, whole: 5 };
/** The engine's own test has the long one. */
const locksMs = { short: [2_000], whole: [2_000, 7_000] };
const betweenMs = 500;
/** So long does a write wait before it is refused. */
const patienceMs = 5_000;
/** The short form runs beside much else. */
const readWithinMs = { short: 1_000, whole: 300 };
const readPaths = ['/', '/api/v1/posts?limit=50', '/api/v1/posts/1', '/healthz', '/readyz'];

/** Another process keeps SQLite's write lock while people write: for a while, and for longer than they will wait. */
export const foreignLock: Trial = {
  name: 'foreign-lock',
  async run(extent) {
    const figures: Figure[] = [];
    for (const lockMs of locksMs[extent]) figures.push(...(await locked(lockMs, extent)));
    return figures;
  },
};

async function locked(lockMs: number, extent: Extent): Promise<Figure[]> {
  await using ending = new AsyncDisposableStack();
  const { place, remove } = await freshPlace('sqlite');
  ending.defer(remove);
  const wall = ending.use(await TriedWall.open(place));
  const server = await wall.start({ LOG_LEVEL: 'fatal' });
  const writing = wall.write();
  await writing.next(201);
  const reading = wall.read(readPaths);
  const longest = { write: 0, earliestRefusal: Infinity };
  writing.onAnswer = (answered, tookMs) => {
    if (answered === 201) longest.write = Math.max(longest.write, tookMs);
    else longest.earliestRefusal = Math.min(longest.earliestRefusal, tookMs);
  };
  for (let i = 0; i < times[extent]; i += 1) {
    const { released } = await lockFor(lockMs, place.dataDir);
    await released;
    await sleep(betweenMs);
  }
  await writing.stop();
  await reading.stop();
  await server.stop();
  const found = await audit(place, writing.acknowledged);
  const seconds = `${lockMs / 1_000} s`;
  const refusals = lockMs > patienceMs;
  return [
    kept(`a foreign lock of ${seconds} × ${times[extent]} under write load`, found, 32),
    {
      what: `reading during a lock of ${seconds}`,
      measured: `slowest ${milliseconds(reading.slowestMs)}`,
      target: `< ${milliseconds(readWithinMs[extent])}, all 200`,
      ok: reading.slowestMs < readWithinMs[extent] && onlyThese(reading.answers, [200]),
      detail: tally(reading.answers),
    },
    {
      what: `writing during a lock of ${seconds}`,
      measured: refusals
        ? `refused after ≥ ${milliseconds(longest.earliestRefusal)}`
        : `slowest ${milliseconds(longest.write)}`,
      target: refusals ? `503 after ≥ ${milliseconds(patienceMs)}` : 'all taken',
      ok: refusals
        ? longest.earliestRefusal >= patienceMs && writing.answers.has(503) && onlyThese(writing.answers, [201, 503])
        : onlyThese(writing.answers, [201]),
      detail: `${tally(writing.answers)}; the slowest that was taken ${milliseconds(longest.write)}`,
    },
  ];
}
