import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Tx } from '../../db/database.ts';
import {
  failJob,
  finishJob,
  type JobKind,
  lockDueJobs,
  type LockedJob,
  renewLock,
  scheduleMissing,
  unlockJob,
} from '../../db/job-queue.ts';
import { logFailure } from '../../db/write-outage.ts';

/** A clock that gains or loses less than this between two calls has not been set: NTP adjusts it gradually. */
const slackSeconds = 5;

/**
 * Returns a function that checks whether the clock has run evenly for `seconds`. It compares the clock with a monotonic one
 * at each call, so it must be called regularly. A clock that has just been set may be wrong and be set back. Actions that
 * cannot be undone have to wait for a steady clock.
 */
function steadyClock(now: () => number, seconds: number): () => boolean {
  const elapsed = (): number => performance.now() / 1_000;
  let since = elapsed();
  let offset = now() - since;
  return () => {
    const at = elapsed();
    const before = offset;
    offset = now() - at;
    if (Math.abs(offset - before) > slackSeconds) since = at;
    return at - since >= seconds;
  };
}

const pollMs = 5_000;
const urgentPollMs = 500;
/** Jobs that one process runs at the same time. */
const concurrency = 4;
/** The clock must have run evenly for this time before jobs run whose effects cannot be undone. */
const steadySeconds = 3_600;

/** One run of a job, as its handler sees it. */
export interface JobRun {
  readonly key: string;
  readonly payload: unknown;
  /** Unix seconds when the run started. */
  readonly now: number;
  /** Aborted when the server stops. The run may then end with any error, and the job is run again later. */
  readonly signal: AbortSignal;
  /** A transaction that commits only while this run holds the job's lock, so no other process runs the job beside it. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** A handler may run again after a crash, so it must find out what is already done. */
export type JobHandler = (run: JobRun) => Promise<void>;

export interface JobOptions {
  /** The job recurs: it is scheduled at the start, and again whenever a run ends. */
  everySeconds?: number;
  /** For jobs whose effects cannot be undone: the job runs only in a process whose clock has not been set for an hour. */
  needsSteadyClock?: boolean;
  /** For jobs for which people wait: after a crash another process takes over within seconds. */
  isUrgent?: boolean;
}

interface Registered extends JobKind, JobOptions {
  handler: JobHandler;
}

interface RunnerOptions {
  db: Database;
  log: FastifyBaseLogger;
  /** Unix seconds. */
  now: () => number;
}

/** Runs the jobs of the queue (`db/job-queue.ts`) that are registered here. */
export class JobRunner {
  /** How many runs each job has had in this process, by outcome. */
  readonly runs = new Map<string, { done: number; failed: number }>();
  #registered = new Map<string, Registered>();
  #options: RunnerOptions;
  #isSteady: () => boolean;
  #isComplete = false;
  #running = new Set<Promise<void>>();
  #stopping = new AbortController();
  #timers: NodeJS.Timeout[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#isSteady = steadyClock(options.now, steadySeconds);
  }

  register(name: string, handler: JobHandler, options: JobOptions = {}): void {
    this.#registered.set(name, { name, handler, ...options });
    this.runs.set(name, { done: 0, failed: 0 });
  }

  start(): void {
    this.#timers = [
      setInterval(() => void this.runDue(), pollMs).unref(),
      setInterval(() => void this.runDue(({ isUrgent }) => isUrgent === true), urgentPollMs).unref(),
    ];
  }

  /** Runs due jobs, as many as may run at the same time; resolves to their number when they have ended. */
  async runDue(isWanted: (kind: JobKind) => boolean = () => true): Promise<number> {
    const { db, now } = this.#options;
    const isSteady = this.#isSteady();
    const kinds = [...this.#registered.values()].filter(
      (kind) => isWanted(kind) && (isSteady || !kind.needsSteadyClock),
    );
    try {
      await this.#scheduleRecurring();
      const atMost = concurrency - this.#running.size;
      const jobs = await lockDueJobs(db, kinds, { now: now(), atMost, lockedBy: randomUUID() });
      const runs = jobs.map((job) => this.#track(this.#run(job)));
      await Promise.all(runs);
      return runs.length;
    } catch (error) {
      // A failed read of the queue is noted too: no job runs then, so no failed write would show the outage.
      db.writes.note(error);
      if (!this.#stopping.signal.aborted) logFailure(this.#options, { err: error }, 'the job queue is out of reach');
      return 0;
    }
  }

  /** Waits for the open transactions of running jobs. Other processes run these jobs again. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  async #scheduleRecurring(): Promise<void> {
    if (this.#isComplete) return;
    const { db, now } = this.#options;
    const recurring = [...this.#registered.values()].filter(({ everySeconds }) => everySeconds !== undefined);
    const names = recurring.map(({ name }) => name);
    await db.tx((tx) => scheduleMissing(tx, names, now()));
    this.#isComplete = true;
  }

  #track(run: Promise<void>): Promise<void> {
    this.#running.add(run);
    return run.finally(() => this.#running.delete(run));
  }

  async #run(job: LockedJob): Promise<void> {
    const { db, now } = this.#options;
    const { handler, everySeconds } = this.#registered.get(job.name)!;
    const { signal } = this.#stopping;
    const renew = () => db.tx((tx) => renewLock(tx.db, job, now())).catch(() => {});
    const renewal = setInterval(() => void renew(), (job.lockSeconds / 3) * 1_000).unref();
    const tx: JobRun['tx'] = (work) => {
      signal.throwIfAborted();
      return db.tx(async (opened) => {
        const result = await work(opened);
        // The job's row is locked last. Another transaction may lock the same rows as `work` and then the job's row, because it
        // schedules this job. With the opposite order here, the two transactions could deadlock.
        await renewLock(opened.db, job, now());
        return result;
      });
    };
    try {
      await handler({ key: job.key, payload: JSON.parse(job.payload), now: now(), signal, tx });
      await db.tx((opened) => finishJob(opened, job, everySeconds && now() + everySeconds));
      this.runs.get(job.name)!.done += 1;
    } catch (error) {
      await this.#end(job, error).catch((failure: unknown) => {
        logFailure(
          this.#options,
          { err: failure, job: job.name, key: job.key },
          'the end of a job could not be stored',
        );
      });
    } finally {
      clearInterval(renewal);
    }
  }

  async #end(job: LockedJob, error: unknown): Promise<void> {
    const { db, now } = this.#options;
    if (this.#stopping.signal.aborted) return db.tx((tx) => unlockJob(tx.db, job));
    this.runs.get(job.name)!.failed += 1;
    logFailure(this.#options, { err: error, job: job.name, key: job.key, failures: job.failures + 1 }, 'job failed');
    return db.tx((tx) => failJob(tx, job, now()));
  }
}
