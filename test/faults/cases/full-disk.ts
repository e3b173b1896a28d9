import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds } from '../../measurements/numbers.ts';
import { below, type Figure } from '../../measurements/report.ts';
import { ask, type Asked } from '../../kit/ask.ts';
import { cannotMount, newDisk } from '../../kit/disk.ts';
import { device } from '../../kit/sign-in.ts';
import { fillDisk } from '../../kit/fill-disk.ts';
import { audit, nothingLost } from '../kit/audit.ts';
import { LoadedWall } from '../kit/loaded-wall.ts';
import type { Writers } from '../kit/writers.ts';
import { type Fault, hangsAfterMs, limitOf } from '../fault.ts';

const atLeast = 20;
const rounds = { short: 1, whole: 8 };
const fullForMs = { short: 1_000, whole: 4_000 };
/** Long enough for a checkpoint to find the disk full too. */
const longestWhileMs = { short: 0, whole: 6_000 };
const diskMegabytes = 192;
const writesAgainWithinMs = 1_000;
const readPaths = ['/', '/api/v1/posts?limit=50', '/api/v1/posts/1', '/posts/1', '/healthz', '/readyz'];

/** The disk becomes full while people write, and is freed again. */
export const fullDisk: Fault = {
  name: 'full-disk',
  lacks: cannotMount,
  async run(extent) {
    await using disk = await newDisk(diskMegabytes);
    const place = { databaseUrl: undefined, dataDir: disk.path };
    await using wall = await LoadedWall.open(place);
    const server = await wall.start({ LOG_LEVEL: 'fatal' });
    const writing = wall.write();
    await writing.next(201);
    const reading = wall.read(readPaths);

    const rejections: Asked[] = [];
    let slowestMs = 0;
    for (let round = 0; round < rounds[extent]; round += 1) {
      await writing.reached(atLeast);
      await sleep(Math.random() * longestWhileMs[extent]);
      const free = await fillDisk(disk.path);
      await writing.next(503);
      rejections.push(await rejectionOf(() => publish(wall)), await rejectionOf(() => startSignIn(wall)));
      await sleep(fullForMs[extent]);
      const from = performance.now();
      await free();
      await writing.next(201);
      slowestMs = Math.max(slowestMs, performance.now() - from);
    }
    await writing.stop();
    await reading.stop();
    await server.stop();
    const found = await audit(place, writing.acknowledged);
    return [
      nothingLost(`full disk × ${rounds[extent]} under write load`, found, atLeast),
      rejected(rejections, writing),
      {
        what: 'reads while the disk is full',
        measured: `slowest ${milliseconds(reading.slowestMs)}`,
        target: 'all 200',
        ok: reading.responses.areOnly(200),
        detail: reading.responses.toString(),
      },
      below(
        'first write after there is space',
        slowestMs,
        limitOf(extent, writesAgainWithinMs),
        `slowest of ${rounds[extent]}`,
      ),
      {
        what: 'the process at the end',
        measured: `exit code ${await server.ended}`,
        target: '0',
        ok: (await server.ended) === 0,
        detail: 'after SIGTERM',
      },
    ];
  },
};

/** Repeats the attempt as long as it succeeds, because the file system may still find a little space. */
async function rejectionOf(attempt: () => Promise<Asked>): Promise<Asked> {
  for (const deadline = performance.now() + hangsAfterMs; ;) {
    const asked = await attempt();
    if (asked.outcome !== 201 || performance.now() > deadline) return asked;
  }
}

const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Asked> =>
  ask(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }, JSON.stringify(body));

const publish = ({ address, people }: LoadedWall): Promise<Asked> =>
  post(`${address}/api/v1/posts`, { text: randomUUID() }, { authorization: `Bearer ${people[0]!.token}` });

const startSignIn = ({ address }: LoadedWall): Promise<Asked> =>
  post(`${address}/api/v1/registrations`, { email: `${randomUUID()}@example.org`, clientToken: 'faults', device });

/** Every rejection has the error format of the API and a Russian text for people. */
function rejected(rejections: readonly Asked[], writing: Writers): Figure {
  const fit = rejections.filter(
    ({ outcome, body }) => outcome === 503 && /^\{"code":"UNAVAILABLE","message":"[А-Я][^"]+"\}$/.test(body),
  );
  return {
    what: 'rejections while the disk is full',
    measured: `${fit.length} of ${rejections.length} in the right format`,
    target: 'all 503, in Russian',
    ok: fit.length === rejections.length && writing.responses.areOnly(201, 503),
    detail: `publishing and signing in; responses to writers: ${writing.responses.toString()}`,
  };
}
