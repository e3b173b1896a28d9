import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database, Tx } from './database.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

/** A lock ends after this time unless the run renews it. Another process may then take over the job. */
export const lockSeconds = 60;
/** Duration of the lock of an urgent job, which must continue soon after its process is killed. Its transactions must be short. */
const urgentLockSeconds = 3;
/** Pause after the first failure; it doubles with each further failure. */
const firstPauseSeconds = 10;
const longestPauseSeconds = 3_600;

interface ScheduledJob {
  name: string;
  /** Distinguishes jobs of the same name. */
  key?: string;
  /** Unix seconds; 0 means as soon as possible. */
  at: number;
  /** JSON. */
  payload?: unknown;
}

/**
 * Schedules a job in the transaction that gives rise to it. There is one job for each name and key: scheduling it again
 * replaces its time and payload, and if it is running at that moment it runs once more.
 */
export async function schedule({ db }: Tx, { name, key = '', at, payload = null }: ScheduledJob): Promise<void> {
  await insertJob(db, { name, key, at, payload: JSON.stringify(payload) });
}

const insertJob = prepared<Required<ScheduledJob> & { payload: string }, never>((db, slot) => {
  const next = { payload: slot('payload'), run_at: slot('at'), attempts: 0, failures: 0 };
  return db
    .insertInto('jobs')
    .values({ name: slot('name'), key: slot('key'), ...next })
    .onConflict((conflict) => conflict.columns(['name', 'key']).doUpdateSet(next));
});

/** Schedules jobs that are not scheduled yet. */
export async function scheduleMissing({ db }: Tx, names: string[], now: number): Promise<void> {
  if (names.length === 0) return;
  await db
    .insertInto('jobs')
    .values(names.map((name) => ({ name, key: '', payload: 'null', run_at: now })))
    .onConflict((conflict) => conflict.columns(['name', 'key']).doNothing())
    .execute();
}

export interface JobKind {
  name: string;
  /** A recurring job's time between two runs. */
  everySeconds?: number;
  isUrgent?: boolean;
}

const lockSecondsOf = ({ isUrgent }: Pick<JobKind, 'isUrgent'>): number => (isUrgent ? urgentLockSeconds : lockSeconds);

export type LockedJob = Pick<Schema['jobs'], 'name' | 'key' | 'payload'> & {
  attempts: number;
  failures: number;
  locked_by: string;
  lockSeconds: number;
};

interface Lookup {
  now: number;
  atMost: number;
  /** Identifies the lock; never used twice. */
  lockedBy: string;
}

/**
 * Locks due jobs of the given kinds for `lockSecondsOf` their kind. A job whose last run neither ended nor renewed its lock
 * is due again; such a run counts as a failure.
 */
export async function lockDueJobs(
  db: Database,
  kinds: readonly JobKind[],
  { now, atMost, lockedBy }: Lookup,
): Promise<LockedJob[]> {
  if (kinds.length === 0 || atMost <= 0) return [];
  const isDue = (eb: ExpressionBuilder<Schema, 'jobs'>) =>
    eb.and([
      eb.or(kinds.map((kind) => eb.and([eb('name', '=', kind.name), isTime(eb, kind, now)]))),
      eb.or([
        eb('locked_until', 'is', null),
        eb('locked_until', '<=', now),
        // A lock with such a late end was set by a clock that was ahead, so it counts as ended.
        eb('locked_until', '>', now + 2 * lockSeconds),
      ]),
    ]);
  const due = await db.read
    .selectFrom('jobs')
    .select(['name', 'key'])
    .where(isDue)
    .orderBy('run_at')
    .limit(atMost)
    .execute();
  if (due.length === 0) return [];
  const locked = await db.tx(({ db: tx }) =>
    tx
      .updateTable('jobs')
      .set((eb) => ({
        locked_by: lockedBy,
        locked_until: lockEnd(eb, kinds, now),
        attempts: eb('attempts', '+', 1),
        failures: sql<number>`failures + case when locked_by is null then 0 else 1 end`,
      }))
      .where((eb) => eb.or(due.map(({ name, key }) => eb.and({ name, key }))))
      // Another process may have locked some of these jobs since.
      .where(isDue)
      .returning(['name', 'key', 'payload', 'attempts', 'failures'])
      .execute(),
  );
  const seconds = new Map(kinds.map((kind) => [kind.name, lockSecondsOf(kind)]));
  return locked.map((job) => ({ ...job, locked_by: lockedBy, lockSeconds: seconds.get(job.name)! }));
}

function lockEnd(eb: ExpressionBuilder<Schema, 'jobs'>, kinds: readonly JobKind[], now: number): Expression<number> {
  const urgent = kinds.filter(({ isUrgent }) => isUrgent).map(({ name }) => name);
  if (urgent.length === 0) return eb.val(now + lockSeconds);
  return eb
    .case()
    .when('name', 'in', urgent)
    .then(eb.cast<number>(eb.val(now + urgentLockSeconds), 'bigint'))
    .else(eb.cast<number>(eb.val(now + lockSeconds), 'bigint'))
    .end();
}

/**
 * Whether the job is due. A time further ahead than the interval or the pauses of the job was set by a clock that was ahead, so
 * such a job is due too.
 */
function isTime(eb: ExpressionBuilder<Schema, 'jobs'>, { everySeconds }: JobKind, now: number): Expression<SqlBool> {
  const furtherThan = (seconds: number) => eb('run_at', '>', now + 2 * seconds);
  if (everySeconds !== undefined) {
    return eb.or([
      eb('run_at', '<=', now),
      furtherThan(Math.max(everySeconds, longestPauseSeconds)),
      eb.and([eb('failures', '=', 0), furtherThan(everySeconds)]),
    ]);
  }
  // A job that has not run yet may be scheduled for any time.
  return eb.or([eb('run_at', '<=', now), eb.and([furtherThan(longestPauseSeconds), eb('attempts', '>', 0)])]);
}

/** Another process has taken over the job because the lock expired. */
export class JobLockLost extends Error {
  override name = 'JobLockLost';
}

/** Extends the lock. Inside a transaction it also keeps other processes from taking over the job until the commit. */
export async function renewLock(db: Kysely<Schema>, job: LockedJob, now: number): Promise<void> {
  const { name, key, locked_by } = job;
  const renewed = await db
    .updateTable('jobs')
    .set({ locked_until: now + job.lockSeconds })
    .where((eb) => eb.and({ name, key, locked_by }))
    .returning('name')
    .executeTakeFirst();
  if (!renewed) throw new JobLockLost(`another process has taken over the job ${name}`);
}

/** Ends a successful run: a recurring job is due again at `nextAt`, any other is done. */
export async function finishJob({ db }: Tx, job: LockedJob, nextAt?: number): Promise<void> {
  if (nextAt === undefined) await db.deleteFrom('jobs').where(isUnchanged(job)).execute();
  else await db.updateTable('jobs').set({ run_at: nextAt, failures: 0 }).where(isUnchanged(job)).execute();
  await unlockJob(db, job);
}

/** Ends a failed run; the next run comes after a pause. */
export async function failJob({ db }: Tx, job: LockedJob, now: number): Promise<void> {
  const pause = Math.min(firstPauseSeconds * 2 ** job.failures, longestPauseSeconds);
  await db
    .updateTable('jobs')
    .set({ run_at: now + pause, failures: job.failures + 1 })
    .where(isUnchanged(job))
    .execute();
  await unlockJob(db, job);
}

/** Unlocks a job without a change, so that another process may run it at once. */
export async function unlockJob(db: Kysely<Schema>, { name, key, locked_by }: LockedJob): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ locked_by: null, locked_until: null })
    .where((eb) => eb.and({ name, key, locked_by }))
    .execute();
}

/** Scheduling a job again resets its attempts, so that the end of a run does not overwrite the new time and payload. */
const isUnchanged =
  ({ name, key, locked_by, attempts }: LockedJob) =>
  (eb: ExpressionBuilder<Schema, 'jobs'>) =>
    eb.and({ name, key, locked_by, attempts });

/** Number of jobs by name whose last run failed. */
export function countFailingJobs(db: Kysely<Schema>): Promise<Array<{ name: string; n: number }>> {
  return db
    .selectFrom('jobs')
    .select((eb) => ['name', eb.fn.countAll<number>().as('n')])
    .where('failures', '>', 0)
    .groupBy('name')
    .execute();
}
