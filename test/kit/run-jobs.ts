import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Database } from '../../server/db/database.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { SECRET } from './server-process.ts';
import { wallJobs } from '../../server/ops/jobs/wall-jobs.ts';

/** Runs the jobs that are due, as a server does right after its start; none may fail. */
export async function runJobs(db: Database, now: number): Promise<void> {
  const jobs = wallJobs({ db, secrets: makeSecrets(SECRET), log: pino({ level: 'silent' }), now: () => now });
  while ((await jobs.runDue()) > 0);
  for (const [name, { failed }] of jobs.runs) assert.equal(failed, 0, `${name} failed`);
}
