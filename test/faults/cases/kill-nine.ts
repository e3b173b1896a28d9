import { setTimeout as sleep } from 'node:timers/promises';
import { below, type Figure } from '../../measurements/report.ts';
import { type Engine, freshPlace } from '../../kit/engines.ts';
import { audit, nothingLost } from '../kit/audit.ts';
import { LoadedWall } from '../kit/loaded-wall.ts';
import { type Extent, type Fault, limitOf, onEachEngine } from '../fault.ts';

const kills = { short: 3, whole: 100 };
const writtenBetween = 10;
const startsWithinMs = 5_000;

/** The server is killed repeatedly while people write, and started again each time. */
export const killNine: Fault = {
  name: 'kill-nine',
  run: (extent) => onEachEngine((engine) => killed(engine, extent)),
};

async function killed(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using fresh = await freshPlace(engine);
  await using wall = await LoadedWall.open(fresh.place);
  let server = await wall.start();
  const writing = wall.write();
  let slowest = 0;
  for (let i = 0; i < kills[extent]; i += 1) {
    await writing.reached((i + 1) * writtenBetween);
    await sleep(Math.random() * 300);
    await server.stop('SIGKILL');
    const from = performance.now();
    server = await wall.start();
    slowest = Math.max(slowest, performance.now() - from);
  }
  await writing.stop();
  await server.stop();
  const found = await audit(fresh.place, writing.acknowledged);
  return [
    nothingLost(`kill -9 × ${kills[extent]} under write load, ${engine}`, found, kills[extent] * writtenBetween),
    below(
      `start after kill -9, ${engine}`,
      slowest,
      limitOf(extent, startsWithinMs),
      'slowest, until the process listens',
    ),
  ];
}
