import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { type Engine, engines, openFresh, openStorage } from '../../../test/kit/engines.ts';
import type { Database } from '../../db/database.ts';
import { countFailingJobs, JobLockLost, lockDueJobs, lockSeconds, schedule } from '../../db/job-queue.ts';
import { type JobHandler, type JobOptions, JobRunner } from './job-runner.ts';

const year = 365 * 24 * 3_600;

/** A new database and runners on it, each with a connection of its own, as in several processes. */
async function openQueue(t: TestContext, engine: Engine) {
  const { db, storage, close } = await openFresh(engine);
  const others: Database[] = [];
  t.after(async () => {
    for (const other of others) await other.close();
    await close();
  });
  const otherProcess = async (): Promise<Database> => {
    const other = await openStorage(storage);
    others.push(other);
    return other;
  };
  const clock = { now: 1_700_000_000 };
  const lines: Array<Record<string, unknown>> = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return {
    db,
    clock,
    lines,
    otherProcess,
    async process(name: string, handler: JobHandler, options?: JobOptions): Promise<JobRunner> {
      const runner = new JobRunner({ db: await otherProcess(), log, now: () => clock.now });
      runner.register(name, handler, options);
      return runner;
    },
    schedule: (job: Parameters<typeof schedule>[1]) => db.tx((tx) => schedule(tx, job)),
    rows: () => db.read.selectFrom('jobs').selectAll().execute(),
  };
}

for (const engine of engines) {
  describe(`jobs on ${engine}`, () => {
    test('schedules one job for a name and key, with the last time and payload', async (t) => {
      const { clock, process, schedule: add, rows } = await openQueue(t, engine);
      const ran = new Map<string, unknown>();
      const runner = await process('digest', async ({ key, payload }) => void ran.set(key, payload));
      await add({ name: 'digest', key: 'anna', at: 0, payload: { day: 1 } });
      await add({ name: 'digest', key: 'anna', at: clock.now + 60, payload: { day: 2 } });
      await add({ name: 'digest', key: 'boris', at: clock.now + 60 });
      assert.equal(await runner.runDue(), 0);
      clock.now += 60;
      assert.equal(await runner.runDue(), 2);
      assert.deepEqual(Object.fromEntries(ran), { anna: { day: 2 }, boris: null });
      assert.deepEqual(await rows(), [], 'a job that is done is removed');
    });

    test('is not scheduled by a transaction that is rolled back', async (t) => {
      const { db, rows } = await openQueue(t, engine);
      const failed = db.tx(async (tx) => {
        await schedule(tx, { name: 'digest', at: 0 });
        throw new Error('rolled back');
      });
      await assert.rejects(failed, /rolled back/);
      assert.deepEqual(await rows(), []);
    });

    test('locks each job for one of several processes', async (t) => {
      const { db, clock, otherProcess, schedule: add } = await openQueue(t, engine);
      const processes = [db, await otherProcess()];
      const keys = Array.from({ length: 20 }, (_, i) => String(i));
      for (const key of keys) await add({ name: 'digest', key, at: 0 });
      const looks = [...processes, ...processes, ...processes].map((one, i) =>
        lockDueJobs(one, [{ name: 'digest' }], { now: clock.now, atMost: 20, lockedBy: `run ${i}` }),
      );
      const locked = (await Promise.all(looks)).flat().map(({ key }) => key);
      assert.deepEqual(locked.toSorted(), keys.toSorted());
    });

    test('runs a job again when the process that had locked it crashed', async (t) => {
      const { db, clock, process, schedule: add } = await openQueue(t, engine);
      let ran = 0;
      const runner = await process('digest', async () => void (ran += 1));
      await add({ name: 'digest', at: 0 });
      const lookup = { now: clock.now, atMost: 10, lockedBy: 'a process that crashes' };
      assert.equal((await lockDueJobs(db, [{ name: 'digest' }], lookup)).length, 1);
      clock.now += lockSeconds - 1;
      assert.equal(await runner.runDue(), 0, 'still locked');
      clock.now += 1;
      const [again] = await lockDueJobs(db, [{ name: 'digest' }], { ...lookup, now: clock.now, lockedBy: 'another' });
      assert.equal(again?.failures, 1, 'a crash counts as a failure');
      clock.now += lockSeconds;
      assert.equal(await runner.runDue(), 1);
      assert.equal(ran, 1);
    });

    test('commits nothing of a run that has lost its lock', async (t) => {
      const { db, clock, process, schedule: add, rows } = await openQueue(t, engine);
      const errors: unknown[] = [];
      const runner = await process('digest', async ({ tx }) => {
        const write = tx((opened) => schedule(opened, { name: 'written', at: 0 }));
        await write;
        clock.now += lockSeconds;
        await lockDueJobs(db, [{ name: 'digest' }], { now: clock.now, atMost: 1, lockedBy: 'another' });
        await tx((opened) => schedule(opened, { name: 'too late', at: 0 })).catch((error) => errors.push(error));
      });
      await add({ name: 'digest', at: 0 });
      await runner.runDue();
      assert.ok(errors[0] instanceof JobLockLost);
      const left = Object.fromEntries((await rows()).map(({ name, locked_by }) => [name, locked_by]));
      assert.deepEqual(left, { digest: 'another', written: null });
    });

    test('repeats a failing job after growing pauses and reports it', async (t) => {
      const { db, clock, lines, process, schedule: add } = await openQueue(t, engine);
      let works = false;
      const runner = await process('digest', async () => {
        if (!works) throw new Error('no paper');
      });
      await add({ name: 'digest', key: 'anna', at: 0 });
      for (const pause of [10, 20, 40, 80]) {
        assert.equal(await runner.runDue(), 1);
        clock.now += pause - 1;
        assert.equal(await runner.runDue(), 0, `${pause} s after a failure`);
        clock.now += 1;
      }
      assert.deepEqual(await countFailingJobs(db.read), [{ name: 'digest', n: 1 }]);
      assert.deepEqual(
        lines.map(({ msg, job, key, failures }) => [msg, job, key, failures]),
        [1, 2, 3, 4].map((failures) => ['job failed', 'digest', 'anna', failures]),
      );
      works = true;
      assert.equal(await runner.runDue(), 1);
      assert.deepEqual(await countFailingJobs(db.read), []);
      assert.deepEqual(runner.runs.get('digest'), { done: 1, failed: 4 });
    });

    test('pauses at most an hour', async (t) => {
      const { clock, process, schedule: add, rows } = await openQueue(t, engine);
      const runner = await process('digest', () => Promise.reject(new Error('no paper')));
      await add({ name: 'digest', at: 0 });
      for (let i = 0; i < 15; i += 1) {
        assert.equal(await runner.runDue(), 1);
        clock.now += 3_600;
      }
      assert.equal((await rows())[0]!.failures, 15);
    });

    test('runs a job once more that was scheduled while it ran', async (t) => {
      const { process, schedule: add } = await openQueue(t, engine);
      const ran: unknown[] = [];
      const runner = await process('digest', async ({ payload }) => {
        ran.push(payload);
        if (payload === 1) await add({ name: 'digest', at: 0, payload: 2 });
      });
      await add({ name: 'digest', at: 0, payload: 1 });
      assert.deepEqual([await runner.runDue(), await runner.runDue(), await runner.runDue()], [1, 1, 0]);
      assert.deepEqual(ran, [1, 2]);
    });

    test('runs a recurring job in one process at a time, at its interval', async (t) => {
      const { clock, process } = await openQueue(t, engine);
      let ran = 0;
      const handler: JobHandler = async () => void (ran += 1);
      const options = { everySeconds: 60 };
      const processes = [await process('cleanup', handler, options), await process('cleanup', handler, options)];
      for (let seconds = 0; seconds < 180; seconds += 20) {
        for (const runner of processes) await runner.runDue();
        clock.now += 20;
      }
      assert.equal(ran, 3);
    });

    test('ignores times and locks set by a clock that was ahead', async (t) => {
      const { db, clock, process, schedule: add } = await openQueue(t, engine);
      let works = false;
      const runner = await process('digest', async () => {
        if (!works) throw new Error('no paper');
      });
      const recurring = await process('cleanup', async () => {}, { everySeconds: 60 });
      await add({ name: 'digest', at: 0 });
      clock.now += year;
      assert.deepEqual([await runner.runDue(), await recurring.runDue()], [1, 1]);
      await add({ name: 'export', at: 0 });
      const lookup = { now: clock.now, atMost: 10, lockedBy: 'a process that crashes' };
      assert.equal((await lockDueJobs(db, [{ name: 'export' }], lookup)).length, 1);
      clock.now -= year;
      works = true;
      const exporter = await process('export', async () => {});
      assert.deepEqual([await runner.runDue(), await recurring.runDue(), await exporter.runDue()], [1, 1, 1]);
      await add({ name: 'digest', at: clock.now + year });
      assert.equal(await runner.runDue(), 0, 'a job may be scheduled far ahead');
      clock.now -= 60;
      assert.equal(await recurring.runDue(), 0);
      clock.now -= 60;
      assert.equal(await recurring.runDue(), 1, 'two intervals ahead is too far for a run that did not fail');
    });

    test('waits for a steady clock before a job that cannot be undone', async (t) => {
      const { clock, process } = await openQueue(t, engine);
      // The time is in whole seconds, so that the difference of two sums is exact.
      let elapsed = Math.ceil(performance.now() / 1_000) * 1_000;
      t.mock.method(performance, 'now', () => elapsed);
      const runner = await process('cleanup', async () => {}, { everySeconds: 60, needsSteadyClock: true });
      const pass = (seconds: number, setBy = 0): Promise<number> => {
        elapsed += seconds * 1_000;
        clock.now += seconds + setBy;
        return runner.runDue();
      };
      const steps: Array<[seconds: number, setBy: number, ran: number]> = [
        [60, 0, 0],
        [3_600, 0, 1],
        [60, year, 0],
        [60, -year, 0],
        [3_540, 0, 0],
        [60, 0, 1],
        // A small drift does not count as setting.
        [60, 4, 1],
        [64, -4, 1],
      ];
      for (const [seconds, setBy, ran] of steps) assert.equal(await pass(seconds, setBy), ran, `${seconds} ${setBy}`);
    });

    test('leaves a job to other processes at once when the server stops', async (t) => {
      const { process, schedule: add, rows } = await openQueue(t, engine);
      const started = Promise.withResolvers<void>();
      const stopping = await process('digest', async ({ tx, signal }) => {
        started.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await tx(async () => {});
      });
      await add({ name: 'digest', at: 0 });
      const running = stopping.runDue();
      await started.promise;
      await stopping.close();
      await running;
      assert.partialDeepStrictEqual(await rows(), [{ locked_by: null, failures: 0 }]);
      const next = await process('digest', async () => {});
      assert.equal(await next.runDue(), 1);
    });
  });
}
