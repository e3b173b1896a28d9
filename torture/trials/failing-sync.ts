import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../../bench/scenario.ts';
import { cannotMount } from '../../test/disk.ts';
import { newFailingDisk } from '../../test/failing-disk.ts';
import { endsWithin } from '../kit/ends-within.ts';
import { type Audit, audit, kept, together } from '../kit/ledger.ts';
import { TriedWall } from '../kit/tried-wall.ts';
import type { Trial } from '../trial.ts';

const times = { short: 1, whole: 10 };
const longestWhileMs = { short: 500, whole: 3_000 };
const endsWithinMs = 15_000;
const clearLine = /^The disk refused to sync \(.*\): stopping, as nothing more can be promised\.$/m;

interface Ending {
  code: number | null;
  said: string;
  found: Audit;
}

/** A real disk fails to sync while people write, who go on when it was mended and the server started anew. */
export const failingSync: Trial = {
  name: 'failing-sync',
  lacks: cannotMount,
  async run(extent) {
    const endings: Ending[] = [];
    for (let i = 0; i < times[extent]; i += 1) endings.push(await fail(longestWhileMs[extent]));
    const clear = endings.filter(({ code, said }) => code === 1 && clearLine.test(said));
    const found = endings.map((ending) => ending.found);
    const all = { ...together(found), acknowledged: found.reduce((sum, { acknowledged }) => sum + acknowledged, 0) };
    return [
      kept(`failing sync × ${endings.length} under write load`, all, endings.length * 20),
      {
        what: 'the process ends with a clear line',
        measured: `${clear.length} of ${endings.length}`,
        target: 'each time',
        ok: clear.length === endings.length,
        detail: [...new Set(endings.map(({ said }) => said.trim()))].join(' '),
      } satisfies Figure,
    ];
  },
};

async function fail(longestMs: number): Promise<Ending> {
  await using ending = new AsyncDisposableStack();
  const disk = await newFailingDisk();
  ending.defer(disk.remove);
  const place = { databaseUrl: undefined, dataDir: disk.path };
  const wall = ending.use(await TriedWall.open(place));
  const server = await wall.start();
  const writing = wall.write();
  await sleep(100 + Math.random() * longestMs);
  await disk.fail();
  const code = await endsWithin(server, endsWithinMs);
  await disk.mend();
  const again = await wall.start();
  await writing.stop();
  await again.stop();
  return { code, said: await server.logs, found: await audit(place, writing.acknowledged) };
}
