import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { Database } from '../../server/db/database.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { SECRET } from './server-process.ts';
import { wallJobs } from '../../server/ops/jobs/wall-jobs.ts';

/** Runs the jobs that are due, as a server does right after its start; none may fail. Those that the server of the wall runs end first. */
export async function runJobs(db: Database, now: number): Promise<void> {
  const jobs = wallJobs({ db, secrets: makeSecrets(SECRET), log: pino({ level: 'silent' }), now: () => now });
  const running = db.read.selectFrom('jobs').select('name').where('locked_until', '>', now);
  for (;;) {
    while ((await jobs.runDue()) > 0);
    if ((await running.execute()).length === 0) break;
    await pause(20);
  }
  for (const [name, { failed }] of jobs.runs) assert.equal(failed, 0, `${name} failed`);
}
