import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../../measurements/report.ts';
import { cannotMount } from '../../kit/disk.ts';
import { newFailingDisk } from '../../kit/failing-disk.ts';
import { type Audit, audit, nothingLost, ofSeveralWalls } from '../kit/audit.ts';
import { endsWithin, LoadedWall } from '../kit/loaded-wall.ts';
import { type Fault, hangsAfterMs } from '../fault.ts';

const times = { short: 1, whole: 10 };
const atLeast = 20;
const longestWhileMs = { short: 500, whole: 3_000 };
const clearLine = /^The disk refused to sync \(.*\): stopping, as nothing more can be promised\.$/m;

interface Ending {
  code: number | null;
  logs: string;
  found: Audit;
}

/** A real disk fails to sync while people write. They continue once it is repaired and the server runs again. */
export const failingSync: Fault = {
  name: 'failing-sync',
  lacks: cannotMount,
  async run(extent) {
    const endings: Ending[] = [];
    for (let i = 0; i < times[extent]; i += 1) endings.push(await fail(longestWhileMs[extent]));
    const clear = endings.filter(({ code, logs }) => code === 1 && clearLine.test(logs));
    const found = ofSeveralWalls(endings.map((ending) => ending.found));
    return [
      nothingLost(`failing sync × ${endings.length} under write load`, found, endings.length * atLeast),
      {
        what: 'the process ends with a clear line',
        measured: `${clear.length} of ${endings.length}`,
        target: 'each time',
        ok: clear.length === endings.length,
        detail: [...new Set(endings.map(({ logs }) => logs.trim()))].join(' '),
      } satisfies Figure,
    ];
  },
};

async function fail(longestMs: number): Promise<Ending> {
  await using disk = await newFailingDisk();
  const place = { databaseUrl: undefined, dataDir: disk.path };
  await using wall = await LoadedWall.open(place);
  const server = await wall.start();
  const writing = wall.write();
  await writing.reached(atLeast);
  await sleep(Math.random() * longestMs);
  await disk.fail();
  const code = await endsWithin(server, hangsAfterMs);
  await disk.mend();
  const again = await wall.start();
  await writing.stop();
  await again.stop();
  return { code, logs: await server.logs, found: await audit(place, writing.acknowledged) };
}
