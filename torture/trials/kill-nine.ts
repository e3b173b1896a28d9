import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { type Engine, engines, freshPlace } from '../../test/engines.ts';
import { freePort } from '../../test/free-port.ts';
import { startServer } from '../../test/server-process.ts';
import { audit, kept } from '../kit/ledger.ts';
import { SECRET, signedInPeople } from '../kit/people.ts';
import { Writers } from '../kit/writers.ts';
import type { Extent, Trial } from '../trial.ts';

const kills = { short: 3, whole: 100 };
const writers = 32;
const backWithinMs = 5_000;

/** The server is killed again and again while people write, and started anew each time. */
export const killNine: Trial = {
  name: 'kill-nine',
  async run(extent) {
    const figures: Figure[] = [];
    for (const engine of engines) figures.push(...(await killed(engine, extent)));
    return figures;
  },
};

async function killed(engine: Engine, extent: Extent): Promise<Figure[]> {
  const { place, remove } = await freshPlace(engine);
  const people = await signedInPeople(place, writers);
  const port = await freePort();
  const start = () => startServer(place, { PORT: String(port), SECRET, RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
  let server = await start();
  const writing = new Writers(server.address, people);
  let slowest = 0;
  for (let i = 0; i < kills[extent]; i += 1) {
    await sleep(Math.random() * 300);
    await server.stop('SIGKILL');
    const from = performance.now();
    server = await start();
    slowest = Math.max(slowest, performance.now() - from);
  }
  await writing.stop();
  await server.stop();
  const found = await audit(place, writing.acknowledged);
  await remove();
  return [
    kept(`kill -9 × ${kills[extent]} under write load, ${engine}`, found, kills[extent] * 10),
    {
      what: `back after kill -9, ${engine}`,
      measured: milliseconds(slowest),
      target: `< ${milliseconds(backWithinMs)}`,
      ok: slowest < backWithinMs,
      detail: 'the slowest, from the start of the process until it listens',
    },
  ];
}
