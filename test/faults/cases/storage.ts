import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { ask, type AskResult } from '../../kit/ask.ts';
import { cannotMount, fillDisk, freeze, newDisk, newFailingDisk, resume } from '../../kit/disk.ts';
import { freshStorage, type StorageSettings } from '../../kit/engines.ts';
import { device } from '../../kit/sign-in.ts';
import { storedSecret } from '../../../server/secrets.ts';
import { type Audit, audit, lossDetected, nothingLost, together } from '../kit/audit.ts';
import { post, Responses } from '../kit/load.ts';
import { LoadedWall, preload } from '../kit/loaded-wall.ts';
import {
  exactly,
  type Extent,
  type Fault,
  hangsAfterMs,
  holds,
  inTurn,
  onEachEngine,
  until,
  within,
} from '../fault.ts';
import { sqliteFile } from '../../../server/db/open-database.ts';

/** Another process takes the write lock; `release` resolves when it has exited. */
async function lock(dataDir: string): Promise<{ release: () => Promise<unknown> }> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(${JSON.stringify(sqliteFile(dataDir))}, { timeout: 5_000 });
    database.exec('begin immediate');
    console.log('locked');
    process.stdin.resume().on('end', () => database.exec('commit'));
  `;
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    release() {
      const exit = once(child, 'exit');
      child.stdin.end();
      return exit;
    },
  };
}

/** Texts that are acknowledged before and between troubles. */
const written = 20;
const kills = { short: 3, whole: 100 };
const writtenPerKill = 10;
const startsWithinMs = 5_000;

/** The server is killed repeatedly while people write, and started again each time. */
const killNine: Fault = {
  name: 'kill-nine',
  run: (extent) =>
    onEachEngine(async (engine) => {
      await using fresh = await freshStorage(engine);
      await using wall = await LoadedWall.open(fresh.storage);
      let slowest = 0;
      for (let i = 0; i < kills[extent]; i += 1) {
        await wall.writing.reached((i + 1) * writtenPerKill);
        await sleep(Math.random() * 300);
        await wall.server.stop('SIGKILL');
        const from = performance.now();
        await wall.start();
        slowest = Math.max(slowest, performance.now() - from);
      }
      await wall.stop();
      const what = `kill -9 × ${kills[extent]} under write load, ${engine}`;
      return [
        await wall.nothingLost(what, kills[extent] * writtenPerKill),
        within(extent, `start after kill -9, ${engine}`, slowest, startsWithinMs, 'until the process listens'),
      ];
    }),
};

const cuts = { short: 3, whole: 40 };
const cutsWithoutSync = 4;
const longestWhileMs = 400;
/** Time for the responses that the server sent before it froze to arrive. */
const inFlightMs = 20;

const onDisk = (dataDir: string): StorageSettings => ({ databaseUrl: undefined, dataDir });

/** The power fails while people write. The next start finds what the disk held at that moment. */
const powerCut: Fault = {
  name: 'power-cut',
  lacks: cannotMount,
  async run(extent) {
    const times = cuts[extent];
    const found = await cutPower(times);
    const figures = [nothingLost(`power cut × ${times} under write load`, found, times * written)];
    if (extent === 'short') return figures;
    const forgetful = await cutPower(cutsWithoutSync, preload({ FORGET_SYNCS: 'yes' }));
    const what = `power cut × ${cutsWithoutSync} without syncs`;
    return [...figures, lossDetected(what, '≥ 1: the loss is detected', forgetful)];
  },
};

async function cutPower(times: number, settings?: NodeJS.ProcessEnv): Promise<Audit> {
  await using disk = await newDisk();
  await using wall = await LoadedWall.open(onDisk(disk.path), settings);
  const found: Audit[] = [];
  for (let cut = 0; cut < times; cut += 1) {
    await wall.writing.reached((cut + 1) * written);
    await sleep(Math.random() * longestWhileMs);
    await freeze(wall.server.child);
    await sleep(inFlightMs);
    await using copy = await disk.afterPowerCut();
    found.push(await audit(onDisk(copy.path), wall.writing.acknowledged));
    resume(wall.server.child);
  }
  await wall.stop();
  return together(found, true);
}

const failures = { short: 1, whole: 10 };
const longestUntilFailureMs = { short: 500, whole: 3_000 };
const clearLine = /^The disk refused to sync \(.*\): stopping, as nothing more can be promised\.$/m;

/** A real disk fails to sync while people write. They continue once it is repaired and the server runs again. */
const failingSync: Fault = {
  name: 'failing-sync',
  lacks: cannotMount,
  async run(extent) {
    const found: Audit[] = [];
    const logs: string[] = [];
    let clear = 0;
    for (let i = 0; i < failures[extent]; i += 1) {
      await using disk = await newFailingDisk();
      await using wall = await LoadedWall.open(onDisk(disk.path));
      await wall.writing.reached(written);
      await sleep(Math.random() * longestUntilFailureMs[extent]);
      await disk.fail();
      const code = await wall.endsWithin(hangsAfterMs);
      const log = await wall.server.logs;
      if (code === 1 && clearLine.test(log)) clear += 1;
      logs.push(log.trim());
      await disk.mend();
      await wall.start();
      await wall.stop();
      found.push(await audit(wall.storage, wall.writing.acknowledged));
    }
    return [
      nothingLost(`failing sync × ${found.length} under write load`, together(found), found.length * written),
      exactly('ends of the process with a clear line', [clear], [found.length], logs.join(' ')),
    ];
  },
};

const locks = { short: 1, whole: 5 };
/** The short form has no lock that outlasts the patience of writes: the test of the storage engine has one. */
const locksMs = { short: [2_000], whole: [2_000, 7_000] };
const betweenLocksMs = 500;
/** How long a write waits for the lock before it is rejected. */
const patienceMs = 5_000;
/** The client's clock and the server's timers differ by some. */
const clocksDifferMs = 50;
const readWithinMs = 300;
const pages = ['/', '/api/v1/posts?limit=50', '/api/v1/posts/1', '/healthz', '/readyz'];

/** Another process holds SQLite's write lock while people write: for a while, and for longer than a write waits. */
const foreignLock: Fault = {
  name: 'foreign-lock',
  run: (extent) => inTurn(locksMs[extent], (lockMs) => locked(lockMs, extent)),
};

async function locked(lockMs: number, extent: Extent): Promise<Figure[]> {
  await using fresh = await freshStorage('sqlite');
  await using wall = await LoadedWall.open(fresh.storage, { LOG_LEVEL: 'fatal' });
  const { writing } = wall;
  const reading = wall.read(pages);
  let slowestWriteMs = 0;
  let earliestRejectionMs = Infinity;
  let readsInALock = Infinity;
  writing.onResponse = (outcome, tookMs) => {
    if (outcome === 201) slowestWriteMs = Math.max(slowestWriteMs, tookMs);
    else earliestRejectionMs = Math.min(earliestRejectionMs, tookMs);
  };
  for (let i = 0; i < locks[extent]; i += 1) {
    const { release } = await lock(fresh.storage.dataDir);
    const before = reading.tookMs.length;
    const reads = () => reading.tookMs.length - before;
    await sleep(lockMs);
    // A machine with much other work reads more slowly, so the lock stays until there are enough reads.
    await until(() => reads() > pages.length);
    readsInALock = Math.min(readsInALock, reads());
    await release();
    await sleep(betweenLocksMs);
  }
  await wall.stop();
  const seconds = `${lockMs / 1_000} s`;
  const rejects = lockMs > patienceMs;
  return [
    await wall.nothingLost(`a foreign lock of ${seconds} × ${locks[extent]} under write load`, 32),
    // More reads must be answered during the lock than were under way when it began.
    within(
      extent,
      `reads during a lock of ${seconds}`,
      reading.slowestMs,
      readWithinMs,
      reading.responses.toString(),
      readsInALock > pages.length && reading.responses.areOnly(200),
    ),
    holds(
      `writes during a lock of ${seconds}`,
      // A machine that does not get round to releasing a short lock makes it a long one.
      writing.responses.areOnly(201, 503) &&
        earliestRejectionMs >= patienceMs - clocksDifferMs &&
        (writing.responses.has(503) || !rejects),
      rejects ? `rejected after ≥ ${milliseconds(earliestRejectionMs)}` : `slowest ${milliseconds(slowestWriteMs)}`,
      rejects ? `503 after ≥ ${milliseconds(patienceMs)}` : 'all acknowledged',
      `${writing.responses.toString()}; slowest acknowledged ${milliseconds(slowestWriteMs)}`,
    ),
  ];
}

const rounds = { short: 1, whole: 8 };
const fullForMs = { short: 1_000, whole: 4_000 };
/** Long enough for a checkpoint to find the disk full too. */
const longestUntilFullMs = { short: 0, whole: 6_000 };
const diskMegabytes = 192;
const writesAgainWithinMs = 1_000;
/** In the error format of the API and with a Russian text for people. */
const rejection = /^\{"code":"UNAVAILABLE","message":"[А-Я][^"]+"\}$/;

/** The disk becomes full while people write, and is freed again. */
const fullDisk: Fault = {
  name: 'full-disk',
  lacks: cannotMount,
  async run(extent) {
    await using disk = await newDisk(diskMegabytes);
    await storedSecret(disk.path);
    await using wall = await LoadedWall.open(onDisk(disk.path), { LOG_LEVEL: 'fatal' });
    const { writing } = wall;
    const reading = wall.read([...pages, '/posts/1']);

    const rejections: AskResult[] = [];
    let slowestMs = 0;
    for (let round = 0; round < rounds[extent]; round += 1) {
      await writing.reached(written);
      await sleep(Math.random() * longestUntilFullMs[extent]);
      const free = await fillDisk(disk.path);
      await writing.next(503);
      rejections.push(await rejectionOf(wall, 'posts'), await rejectionOf(wall, 'registrations'));
      await sleep(fullForMs[extent]);
      const from = performance.now();
      await free();
      await writing.next(201);
      slowestMs = Math.max(slowestMs, performance.now() - from);
    }
    await wall.stop();
    const code = await wall.server.ended;
    const free = await fillDisk(disk.path);
    await wall.start(undefined, { SECRET: '' });
    const afterStart = new Responses();
    for (const path of [...pages, '/posts/1']) afterStart.add((await ask(`${wall.address}${path}`)).outcome);
    await wall.server.stop();
    await free();

    const fit = rejections.filter(({ outcome, body }) => outcome === 503 && rejection.test(body)).length;
    const { responses } = writing;
    return [
      await wall.nothingLost(`full disk × ${rounds[extent]} under write load`, written),
      exactly(
        'rejections while the disk is full in the right format',
        [fit],
        [rejections.length],
        responses.toString(),
        {
          enough: responses.areOnly(201, 503),
        },
      ),
      none(
        'reads while the disk is full',
        reading.responses.except(200).total,
        'not 200',
        reading.responses.toString(),
      ),
      none('reads after a start on the full disk', afterStart.except(200).total, 'not 200', afterStart.toString()),
      within(extent, 'first write after there is space', slowestMs, writesAgainWithinMs, `× ${rounds[extent]}`),
      exactly('exit code at the end', [code ?? -1], [0], 'after SIGTERM'),
    ];
  },
};

/** Repeats the attempt as long as it succeeds, because the file system may still find a little space. */
async function rejectionOf({ address, people }: LoadedWall, path: 'posts' | 'registrations'): Promise<AskResult> {
  for (const deadline = performance.now() + hangsAfterMs; ;) {
    const newcomer = { email: `${randomUUID()}@example.org`, clientToken: 'faults', device };
    const body = path === 'posts' ? { text: randomUUID() } : newcomer;
    const token = people[0]!.token;
    const asked = await post(`${address}/api/v1/${path}`, { body, ...(path === 'posts' && { token }) });
    if (asked.outcome !== 201 || performance.now() > deadline) return asked;
  }
}

export const storage = [killNine, powerCut, failingSync, foreignLock, fullDisk];
