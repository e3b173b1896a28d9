import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { cannotCopy, done, freshPlaceToCopy } from '../../test/backup-process.ts';
import type { Engine } from '../../test/engines.ts';
import { type Audit, audit, kept, together } from '../kit/ledger.ts';
import { TriedWall } from '../kit/tried-wall.ts';
import type { Extent, Trial } from '../trial.ts';

const copies = { short: 1, whole: 5 };
const writtenBeforeMs = { short: 500, whole: 3_000 };
/** The short form runs beside much else. */
const writesWithinMs = { short: 3_000, whole: 1_000 };

export const backupSqlite = backupUnderLoad('sqlite');
export const backupPostgres = backupUnderLoad('postgres');

/** A copy is made while people write, and restored. */
function backupUnderLoad(engine: Engine): Trial {
  return {
    name: `backup-${engine}`,
    lacks: () => cannotCopy(engine),
    run: (extent) => copied(engine, extent),
  };
}

async function copied(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using ending = new AsyncDisposableStack();
  const { place, remove } = await freshPlaceToCopy(engine);
  ending.defer(remove);
  const wall = ending.use(await TriedWall.open(place));
  const server = await wall.start();
  const writing = wall.write();
  await writing.next(201);

  const found: Audit[] = [];
  const meanwhile = { written: 0, slowestMs: 0 };
  for (let i = 0; i < copies[extent]; i += 1) {
    await sleep(writtenBeforeMs[extent]);
    const before = new Map(writing.acknowledged);
    writing.onAnswer = (answered, tookMs) => {
      if (answered === 201) meanwhile.written += 1;
      meanwhile.slowestMs = Math.max(meanwhile.slowestMs, tookMs);
    };
    const file = join(place.dataDir, `wall-${i}.backup`);
    await done(place, 'backup', file);
    writing.onAnswer = undefined;
    found.push(await restored(engine, file, before));
  }
  await writing.stop();
  await server.stop();
  return [
    kept(`in ${copies[extent]} restored copies made under write load, ${engine}`, together(found), 20),
    kept(`on the wall they were made of, ${engine}`, await audit(place, writing.acknowledged), 20),
    {
      what: `writing during a backup, ${engine}`,
      measured: `slowest ${milliseconds(meanwhile.slowestMs)}`,
      target: `< ${milliseconds(writesWithinMs[extent])}`,
      ok: meanwhile.written > 0 && meanwhile.slowestMs < writesWithinMs[extent],
      detail: `${count(meanwhile.written)} posts written meanwhile`,
    },
  ];
}

async function restored(engine: Engine, file: string, acknowledged: ReadonlyMap<string, string>): Promise<Audit> {
  const { place, remove } = await freshPlaceToCopy(engine);
  try {
    await done(place, 'restore', file);
    return await audit(place, acknowledged);
  } finally {
    await remove();
  }
}
