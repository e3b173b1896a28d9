import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { cannotMount, type Disk, newDisk } from '../../kit/disk.ts';
import { freeze, resume } from '../../kit/freeze.ts';
import { type Audit, audit, nothingLost, ofOneWall } from '../kit/audit.ts';
import { LoadedWall, preload } from '../kit/loaded-wall.ts';
import type { Fault } from '../fault.ts';

const cuts = { short: 3, whole: 40 };
const writtenBetween = 20;
const cutsWithoutSync = 4;
const longestWhileMs = 400;
/** Time for the responses that the server sent before it froze to arrive. */
const inFlightMs = 20;

/** The power fails while people write. The next start finds what the disk held at that moment. */
export const powerCut: Fault = {
  name: 'power-cut',
  lacks: cannotMount,
  async run(extent) {
    const found = await cutPower(cuts[extent]);
    const figures = [nothingLost(`power cut × ${cuts[extent]} under write load`, found, cuts[extent] * writtenBetween)];
    if (extent === 'whole') figures.push(detected(await cutPower(cutsWithoutSync, preload('forget-to-sync'))));
    return figures;
  },
};

async function cutPower(times: number, settings?: NodeJS.ProcessEnv): Promise<Audit> {
  await using disk = await newDisk();
  await using wall = await LoadedWall.open({ databaseUrl: undefined, dataDir: disk.path });
  const { child } = await wall.start(settings);
  const writing = wall.write();
  const found: Audit[] = [];
  for (let cut = 0; cut < times; cut += 1) {
    await writing.reached((cut + 1) * writtenBetween);
    await sleep(Math.random() * longestWhileMs);
    await freeze(child);
    await sleep(inFlightMs);
    found.push(await afterPowerCut(disk, writing.acknowledged));
    resume(child);
  }
  await writing.stop();
  return ofOneWall(found);
}

async function afterPowerCut(disk: Disk, acknowledged: ReadonlyMap<string, string>): Promise<Audit> {
  await using copy = await disk.afterPowerCut();
  return await audit({ databaseUrl: undefined, dataDir: copy.path }, acknowledged);
}

/** Proves that the fault detects a loss: a server that does not wait for the disk must fail. */
function detected({ lost, acknowledged }: Audit): Figure {
  return {
    what: `power cut × ${cutsWithoutSync} without syncs`,
    measured: `${lost} lost`,
    target: '≥ 1: the loss is detected',
    ok: lost > 0,
    detail: `${count(acknowledged)} acknowledged posts`,
  };
}
