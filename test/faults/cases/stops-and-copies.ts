import { execFile, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { count, sum } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { whyNotCopy, mustSucceed, freshStorageToCopy } from '../../kit/backup-process.ts';
import { type Engine, freshStorage, type StorageSettings } from '../../kit/engines.ts';
import { readEvents } from '../../kit/event-reader.ts';
import { root } from '../../kit/node-process.ts';
import { sqliteFile } from '../../../server/db/open-database.ts';
import { type Audit, audit, nothingLost, together } from '../kit/audit.ts';
import { LoadedWall, preload } from '../kit/loaded-wall.ts';
import { exactly, type Extent, type Fault, hangsAfterMs, onEachEngine, within } from '../fault.ts';

/** Texts that are acknowledged before a copy and between stops. */
const written = 20;
const stops = { short: 2, whole: 20 };
const streams = 20;
const longestWhileMs = 500;
const stoppedWithinMs = 10_000;
/** `npm start` runs it. */
const startScript = 'scripts/start.mjs';
const readPaths = ['/', '/api/v1/posts?limit=50', '/api/v1/posts/1', '/posts/1', '/feed.xml', '/healthz'];

/** The server receives SIGTERM while people read, write and subscribe, directly and through the script of `npm start`. */
const stopUnderLoad: Fault = {
  name: 'stop-under-load',
  run: (extent) => onEachEngine((engine) => stopped(engine, extent)),
};

async function stopped(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using fresh = await freshStorage(engine);
  const settings = { ...preload({ COUNT_REQUESTS: 'yes' }), PATH: process.env['PATH'] };
  await using wall = await LoadedWall.open(fresh.storage, settings);
  const { writing } = wall;
  const reading = wall.read(readPaths);
  const seen: Awaited<ReturnType<typeof stop>>[] = [];
  for (let i = 0; i < stops[extent]; i += 1) {
    await writing.reached((i + 1) * written);
    seen.push(await stop(wall));
    await wall.start(i % 2 === 0 ? startScript : undefined);
  }
  await writing.stop();
  await reading.stop();
  const all = [...seen, await stop(wall)];

  const slowest = Math.max(...seen.map(({ tookMs }) => tookMs));
  const requests = sum(all.map((one) => one.requests));
  const opened = all.length * streams;
  const loads = [writing, reading].map(({ responses }) => responses);
  const complete = sum(loads.map((responses) => responses.except('nothing', 'half').total)) + opened;
  const ended = sum(all.map(({ streamsEnded }) => streamsEnded));
  const codes = seen.map(({ code }) => code);
  const enough = loads.every((responses) => responses.areOnly(200, 201, 503, 'nothing'));
  return [
    await wall.nothingLost(`SIGTERM × ${seen.length} under load, ${engine}`, seen.length * written),
    within(
      extent,
      `exit after SIGTERM, ${engine}`,
      slowest,
      stoppedWithinMs,
      codes.join(),
      codes.every((code) => code === 0),
    ),
    exactly(`complete responses to what had reached the server, ${engine}`, [complete], [requests], loads.join('; '), {
      enough,
    }),
    exactly(`event streams that were open and have ended, ${engine}`, [ended], [opened], ''),
  ];
}

/** Sends SIGTERM while event streams are open; counts the requests that had reached the server and the streams that it ended. */
async function stop(wall: LoadedWall) {
  const { child, address, logs } = wall.server;
  const subscribed = await Promise.all(Array.from({ length: streams }, () => readEvents(`${address}/api/v1/events`)));
  const ends = Promise.allSettled(subscribed.map(({ ended }) => ended));
  await sleep(Math.random() * longestWhileMs);
  const from = performance.now();
  child.kill('SIGTERM');
  const code = await wall.endsWithin(hangsAfterMs);
  const tookMs = performance.now() - from;
  const streamsEnded = (await ends).filter(({ status }) => status === 'fulfilled').length;
  const requests = sum([...(await logs).matchAll(/^requests: (\d+)$/gm)].map(([, n]) => Number(n)));
  return { code, tookMs, requests, streamsEnded };
}

const copies = { short: 1, whole: 5 };
const writtenBeforeMs = { short: 0, whole: 3_000 };
const writesWithinMs = 1_000;

/** A backup is made while people write, and restored. */
const backupUnderLoad = (engine: Engine): Fault => ({
  name: `backup-${engine}`,
  lacks: () => whyNotCopy(engine),
  run: (extent) => backUp(engine, extent),
});
const backupSqlite = backupUnderLoad('sqlite');
const backupPostgres = backupUnderLoad('postgres');

async function backUp(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using fresh = await freshStorageToCopy(engine);
  const { storage } = fresh;
  await using wall = await LoadedWall.open(storage);
  const { writing } = wall;
  const found: Audit[] = [];
  let times = 0;
  let slowestMs = 0;
  for (let i = 0; i < copies[extent]; i += 1) {
    const reader = engine === 'sqlite' ? startReading(storage) : undefined;
    await sleep(writtenBeforeMs[extent]);
    await writing.reached(written);
    const before = new Map(writing.acknowledged);
    writing.onResponse = (outcome, tookMs) => {
      if (outcome === 201) times += 1;
      slowestMs = Math.max(slowestMs, tookMs);
    };
    const file = join(storage.dataDir, `wall-${i}.backup`);
    await mustSucceed(storage, 'backup', file);
    writing.onResponse = undefined;
    reader?.close();
    await using elsewhere = await freshStorageToCopy(engine);
    await mustSucceed(elsewhere.storage, 'restore', file);
    found.push(await audit(elsewhere.storage, before));
  }
  await wall.stop();
  const what = `in ${copies[extent]} restored backups made under write load, ${engine}`;
  const detail = `${count(times)} posts written during backups`;
  return [
    nothingLost(what, together(found, true), written),
    await wall.nothingLost(`on the wall that was backed up, ${engine}`, written),
    within(extent, `slowest write during a backup, ${engine}`, slowestMs, writesWithinMs, detail, times > 0),
  ];
}

/** Keeps later writes in the WAL until it is closed, where a copy of the database file alone misses them. */
function startReading({ dataDir }: StorageSettings): DatabaseSync {
  const reader = new DatabaseSync(sqliteFile(dataDir), { readOnly: true });
  reader.exec('begin; select 1 from posts limit 1');
  return reader;
}

/** scripts/fault-programs.mjs puts it there. */
const litestream = join(root, 'node_modules/.cache/litestream/node_modules/@flydotio/litestream-linux-x64/litestream');
const losses = { short: 1, whole: 10 };
const writtenMs = { short: 0, whole: 5_000 };
const lossMs = 1_000;

/** The machine is gone while people write. What Litestream has copied elsewhere becomes the wall. */
const continuousCopy: Fault = {
  name: 'continuous-copy',
  lacks: () =>
    access(litestream).then(
      () => undefined,
      () => 'Litestream is installed for Linux on x64 only',
    ),
  async run(extent) {
    const found: Audit[] = [];
    let oldestLostMs = 0;
    for (let i = 0; i < losses[extent]; i += 1) {
      const outcome = await lose(writtenMs[extent]);
      found.push(outcome.found);
      oldestLostMs = Math.max(oldestLostMs, outcome.lostMs);
    }
    const what = `machine gone × ${losses[extent]} beside a continuous copy`;
    return [
      nothingLost(`${what}, before the last moment copied`, together(found), losses[extent] * written),
      within(extent, what, oldestLostMs, lossMs, 'age of the oldest lost post'),
    ];
  },
};

async function lose(duringMs: number): Promise<{ found: Audit; lostMs: number }> {
  await using cleanup = new AsyncDisposableStack();
  const { storage } = cleanup.use(await freshStorage('sqlite'));
  const elsewhere = await mkdtemp(join(tmpdir(), 'stena-copy-'));
  cleanup.defer(() => rm(elsewhere, { recursive: true, force: true }));
  const file = sqliteFile(storage.dataDir);
  const config = join(elsewhere, 'litestream.yml');
  await writeFile(config, settings(file, join(elsewhere, 'copy')));
  const wall = cleanup.use(await LoadedWall.open(storage));
  const { writing } = wall;
  const acknowledgedAt = new Map<string, number>();
  writing.onResponse = (_outcome, _ms, id) => void (id && acknowledgedAt.set(id, performance.now()));
  const copying = spawn(litestream, ['replicate', '-config', config], { stdio: 'ignore' });
  cleanup.defer(() => void copying.kill('SIGKILL'));
  /** Makes a wall from the copy. Resolves to undefined if there is no copy yet. */
  const copied = async (name: string): Promise<StorageSettings | undefined> => {
    const dataDir = join(elsewhere, name);
    await mkdir(dataDir, { mode: 0o700 });
    const args = ['restore', '-config', config, '-o', sqliteFile(dataDir), file];
    return promisify(execFile)(litestream, args, { timeout: hangsAfterMs }).then(
      () => ({ databaseUrl: undefined, dataDir }),
      () => undefined,
    );
  };
  await writing.reached(written);
  // Waits until a copy contains the texts that were acknowledged after the copying began.
  const before = new Map(writing.acknowledged);
  for (let i = 0; lostIn(await copied(`try-${i}`), before).length > 0; i += 1) await sleep(100);
  await sleep(duringMs);
  copying.kill('SIGKILL');
  await wall.server.stop('SIGKILL');
  const goneAt = performance.now();
  writing.abandon();
  const copy = (await copied('new'))!;
  const acknowledged = new Map(writing.acknowledged);
  const lost = lostIn(copy, acknowledged);
  // A post acknowledged before the times were recorded counts as the oldest.
  const oldest = Math.min(goneAt, ...lost.map((id) => acknowledgedAt.get(id) ?? 0));
  for (const id of lost) acknowledged.delete(id);
  return { found: await audit(copy, acknowledged), lostMs: goneAt - oldest };
}

/** The settings of the guide, but with the copy in a folder instead of a bucket. */
const settings = (database: string, path: string): string => `dbs:
  - path: ${database}
    monitor-interval: 250ms
    replicas:
      - type: file
        path: ${path}
        sync-interval: 250ms
`;

/** The ids of the texts that a copy lacks. A copy that is read while it is being made is damaged, and counts as empty. */
function lostIn(storage: StorageSettings | undefined, texts: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  try {
    if (storage === undefined) return [...texts.keys()];
    using database = new DatabaseSync(sqliteFile(storage.dataDir));
    for (const { id } of database.prepare('select id from posts').all()) found.add(String(id));
  } catch {
    found.clear();
  }
  return [...texts.keys()].filter((id) => !found.has(id));
}

export const stopsAndCopies = [stopUnderLoad, backupSqlite, backupPostgres, continuousCopy];
