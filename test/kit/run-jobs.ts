import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Database } from '../../server/db/database.ts';
import { wallJobs } from '../../server/ops/jobs/wall-jobs.ts';

/** Runs the jobs that are due, as a server does right after its start; none may fail. */
export async function runJobs(db: Database, now: number): Promise<void> {
  const jobs = wallJobs({ db, log: pino({ level: 'silent' }), now: () => now });
  await jobs.runDue();
  for (const [name, { failed }] of jobs.runs) assert.equal(failed, 0, `${name} failed`);
}
