import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { ask, type Asked } from '../../test/ask.ts';
import { cannotMount, newDisk } from '../../test/disk.ts';
import { fillDisk } from '../../test/fill-disk.ts';
import { audit, kept } from '../kit/ledger.ts';
import { onlyThese, tally } from '../kit/tally.ts';
import { TriedWall } from '../kit/tried-wall.ts';
import type { Writers } from '../kit/writers.ts';
import type { Trial } from '../trial.ts';

const rounds = { short: 1, whole: 8 };
const fullForMs = { short: 1_000, whole: 4_000 };
/** Long enough for the WAL to become due for copying: that, too, shall find the disk full. */
const longestWhileMs = { short: 0, whole: 6_000 };
const diskMegabytes = 192;
const writesAgainWithinMs = 1_000;
const patienceMs = 15_000;
const readPaths = ['/', '/api/v1/posts?limit=50', '/api/v1/posts/1', '/posts/1', '/healthz', '/readyz'];

/** The disk becomes full while people write, and gets space again. */
export const fullDisk: Trial = {
  name: 'full-disk',
  lacks: cannotMount,
  async run(extent) {
    await using ending = new AsyncDisposableStack();
    const disk = await newDisk(diskMegabytes);
    ending.defer(disk.remove);
    const place = { databaseUrl: undefined, dataDir: disk.path };
    const wall = ending.use(await TriedWall.open(place));
    const server = await wall.start({ LOG_LEVEL: 'fatal' });
    const writing = wall.write();
    await writing.next(201);
    const reading = wall.read(readPaths);

    const refusals: Asked[] = [];
    let slowestMs = 0;
    for (let round = 0; round < rounds[extent]; round += 1) {
      await sleep(Math.random() * longestWhileMs[extent]);
      const giveBack = await fillDisk(disk.path);
      await writing.next(503);
      refusals.push(await refusalOf(() => publish(wall)), await refusalOf(() => startToSignIn(wall)));
      await sleep(fullForMs[extent]);
      const from = performance.now();
      await giveBack();
      await writing.next(201);
      slowestMs = Math.max(slowestMs, performance.now() - from);
    }
    await writing.stop();
    await reading.stop();
    await server.stop();
    const found = await audit(place, writing.acknowledged);
    return [
      kept(`full disk × ${rounds[extent]} under write load`, found, 20),
      refused(refusals, writing),
      {
        what: 'reading meanwhile',
        measured: `slowest ${milliseconds(reading.slowestMs)}`,
        target: 'all 200',
        ok: onlyThese(reading.answers, [200]),
        detail: tally(reading.answers),
      },
      {
        what: 'the first write after there is space',
        measured: milliseconds(slowestMs),
        target: `< ${milliseconds(writesAgainWithinMs)}`,
        ok: slowestMs < writesAgainWithinMs,
        detail: `the slowest of ${rounds[extent]}`,
      },
      {
        what: 'the process after it all',
        measured: `exit code ${await server.ended}`,
        target: '0',
        ok: (await server.ended) === 0,
        detail: 'when told to stop',
      },
    ];
  },
};

/** What little the disk gives back by itself is taken first. */
async function refusalOf(attempt: () => Promise<Asked>): Promise<Asked> {
  for (const deadline = performance.now() + patienceMs; ;) {
    const asked = await attempt();
    if (asked.answered !== 201 || performance.now() > deadline) return asked;
  }
}

const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Asked> =>
  ask(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }, JSON.stringify(body));

const publish = ({ address, people }: TriedWall): Promise<Asked> =>
  post(`${address}/api/v1/posts`, { text: randomUUID() }, { authorization: `Bearer ${people[0]!.token}` });

const device = { userAgent: 'Chrome', userAgentVersion: '142.0', os: 'Windows 11' };

const startToSignIn = ({ address }: TriedWall): Promise<Asked> =>
  post(`${address}/api/v1/registrations`, { email: `${randomUUID()}@example.org`, clientToken: 'torture', device });

/** Everything is refused in the one form, fit to show. */
function refused(refusals: readonly Asked[], writing: Writers): Figure {
  const fit = refusals.filter(
    ({ answered, body }) => answered === 503 && /^\{"code":"UNAVAILABLE","message":"[А-Я][^"]+"\}$/.test(body),
  );
  return {
    what: 'refusals meanwhile',
    measured: `${fit.length} of ${refusals.length} fit to show`,
    target: '503 in Russian, all',
    ok: fit.length === refusals.length && onlyThese(writing.answers, [201, 503]),
    detail: `publishing and signing in; answers to writers: ${tally(writing.answers)}`,
  };
}
