import { setTimeout as sleep } from 'node:timers/promises';
import { below, type Figure } from '../../figures/report.ts';
import { type Engine, freshPlace } from '../../kit/engines.ts';
import { audit, nothingLost } from '../kit/audit.ts';
import { LoadedWall } from '../kit/loaded-wall.ts';
import { type Extent, type Fault, onEachEngine } from '../fault.ts';

const kills = { short: 3, whole: 100 };
/** The short form runs beside all other tests. */
const startsWithinMs = { short: 15_000, whole: 5_000 };

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
    nothingLost(`kill -9 × ${kills[extent]} under write load, ${engine}`, found, kills[extent] * 10),
    below(`start after kill -9, ${engine}`, slowest, startsWithinMs[extent], 'slowest, until the process listens'),
  ];
}
