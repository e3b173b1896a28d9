import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { cannotMount, type Disk, newDisk } from '../../test/disk.ts';
import { freeze, resume } from '../../test/freeze.ts';
import { type Audit, audit, kept, together } from '../kit/ledger.ts';
import { preload } from '../kit/preload.ts';
import { TriedWall } from '../kit/tried-wall.ts';
import type { Trial } from '../trial.ts';

const cuts = { short: 3, whole: 40 };
const cutsWithoutSync = 4;
const forgetToSync = new URL('../preloaded/forget-to-sync.ts', import.meta.url);
const longestWhileMs = 400;
/** What was on its way to us when the server froze was acknowledged before it. */
const onItsWayMs = 20;

/** The power fails while people write; what the disk holds at that moment is what the next start finds. */
export const powerCut: Trial = {
  name: 'power-cut',
  lacks: cannotMount,
  async run(extent) {
    const found = await cutPower(cuts[extent]);
    const figures = [kept(`power cut × ${cuts[extent]} under write load`, found, cuts[extent] * 20)];
    if (extent === 'whole') figures.push(noticed(await cutPower(cutsWithoutSync, preload(forgetToSync))));
    return figures;
  },
};

async function cutPower(times: number, settings?: NodeJS.ProcessEnv): Promise<Audit> {
  await using ending = new AsyncDisposableStack();
  const disk = await newDisk();
  ending.defer(disk.remove);
  const wall = ending.use(await TriedWall.open({ databaseUrl: undefined, dataDir: disk.path }));
  const { child } = await wall.start(settings);
  const writing = wall.write();
  const found: Audit[] = [];
  for (let cut = 0; cut < times; cut += 1) {
    await sleep(Math.random() * longestWhileMs);
    await freeze(child);
    await sleep(onItsWayMs);
    found.push(await afterPowerCut(disk, writing.acknowledged));
    resume(child);
  }
  await writing.stop();
  return together(found);
}

async function afterPowerCut(disk: Disk, acknowledged: ReadonlyMap<string, string>): Promise<Audit> {
  const copy = await disk.afterPowerCut();
  try {
    return await audit({ databaseUrl: undefined, dataDir: copy.path }, acknowledged);
  } finally {
    await copy.remove();
  }
}

/** The trial itself on trial: a server that does not wait for the disk must not pass it. */
function noticed({ lost, acknowledged }: Audit): Figure {
  return {
    what: `power cut × ${cutsWithoutSync} with the sync taken out`,
    measured: `${lost} lost`,
    target: '≥ 1: it is noticed',
    ok: lost > 0,
    detail: `${count(acknowledged)} acknowledged posts`,
  };
}
