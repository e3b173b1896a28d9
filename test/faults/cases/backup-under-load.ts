import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, milliseconds } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { cannotCopy, done, freshPlaceToCopy } from '../../kit/backup-process.ts';
import { sqliteFile } from '../../../server/db/open-database.ts';
import type { Engine, Place } from '../../kit/engines.ts';
import { type Audit, audit, nothingLost, ofOneWall } from '../kit/audit.ts';
import { LoadedWall } from '../kit/loaded-wall.ts';
import { type Extent, type Fault, limitOf } from '../fault.ts';

const enough = 20;
const copies = { short: 1, whole: 5 };
const writtenBeforeMs = { short: 0, whole: 3_000 };
const writesWithinMs = 1_000;

export const backupSqlite = backupUnderLoad('sqlite');
export const backupPostgres = backupUnderLoad('postgres');

/** A backup is made while people write, and restored. */
function backupUnderLoad(engine: Engine): Fault {
  return {
    name: `backup-${engine}`,
    lacks: () => cannotCopy(engine),
    run: (extent) => backUp(engine, extent),
  };
}

async function backUp(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using fresh = await freshPlaceToCopy(engine);
  const { place } = fresh;
  await using wall = await LoadedWall.open(place);
  const server = await wall.start();
  const writing = wall.write();
  await writing.next(201);

  const found: Audit[] = [];
  let written = 0;
  let slowestMs = 0;
  for (let i = 0; i < copies[extent]; i += 1) {
    const reader = engine === 'sqlite' ? startReading(place) : undefined;
    await sleep(writtenBeforeMs[extent]);
    await writing.reached(enough);
    const before = new Map(writing.acknowledged);
    writing.onResponse = (outcome, tookMs) => {
      if (outcome === 201) written += 1;
      slowestMs = Math.max(slowestMs, tookMs);
    };
    const file = join(place.dataDir, `wall-${i}.backup`);
    await done(place, 'backup', file);
    writing.onResponse = undefined;
    reader?.close();
    found.push(await restored(engine, file, before));
  }
  await writing.stop();
  await server.stop();
  const withinMs = limitOf(extent, writesWithinMs);
  return [
    nothingLost(`in ${copies[extent]} restored backups made under write load, ${engine}`, ofOneWall(found), enough),
    nothingLost(`on the wall that was backed up, ${engine}`, await audit(place, writing.acknowledged), enough),
    {
      what: `slowest write during a backup, ${engine}`,
      measured: milliseconds(slowestMs),
      target: `< ${milliseconds(withinMs)}`,
      ok: written > 0 && slowestMs < withinMs,
      detail: `${count(written)} posts written during backups`,
    },
  ];
}

/** Keeps later writes in the WAL until it is closed, where a copy of the database file alone misses them. */
function startReading({ dataDir }: Place): DatabaseSync {
  const reader = new DatabaseSync(sqliteFile(dataDir), { readOnly: true });
  reader.exec('begin; select 1 from posts limit 1');
  return reader;
}

async function restored(engine: Engine, file: string, acknowledged: ReadonlyMap<string, string>): Promise<Audit> {
  await using fresh = await freshPlaceToCopy(engine);
  await done(fresh.place, 'restore', file);
  return await audit(fresh.place, acknowledged);
}
