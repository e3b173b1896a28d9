import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { Database } from '../../server/db/database.ts';
import { JobLockLost } from '../../server/db/job-queue.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { SECRET } from './server-process.ts';
import { wallJobs } from '../../server/ops/jobs/wall-jobs.ts';
import { sqliteFile } from '../../server/db/open-database.ts';
import type { StorageSettings } from './engines.ts';
import type { Wall } from './wall.ts';

interface Failure {
  job: string;
  err: { type: string; message: string };
}

/**
 * Runs the jobs that are due, and waits for jobs that the server of the wall is running. No job may fail. If that server, whose
 * clock is behind `now`, takes over a job, the job is made due and runs again.
 */
export async function runJobs(db: Database, now: number): Promise<void> {
  let failures: Failure[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void failures.push(JSON.parse(line) as Failure) });
  const jobs = wallJobs({ db, secrets: makeSecrets(SECRET), log, now: () => now });
  const running = db.read.selectFrom('jobs').select('name').where('locked_until', '>', now);
  const isTakenOver = ({ err }: Failure): boolean => err.type === JobLockLost.name;
  for (;;) {
    while ((await jobs.runDue()) > 0);
    const names = failures.filter(isTakenOver).map(({ job }) => job);
    failures = failures.filter((failure) => !isTakenOver(failure));
    if (names.length > 0) {
      await db.tx(({ db: tx }) => tx.updateTable('jobs').set({ run_at: now }).where('name', 'in', names).execute());
    } else if ((await running.execute()).length === 0) break;
    await pause(20);
  }
  assert.deepEqual(failures, []);
}

/** Whether the files of SQLite contain a text, in rows or in unused space. */
export async function isInFiles({ dataDir }: StorageSettings, text: string): Promise<boolean> {
  const file = sqliteFile(dataDir);
  const contents = await Promise.all([file, `${file}-wal`].map((path) => readFile(path)));
  return contents.some((bytes) => bytes.includes(text));
}

/** Runs the jobs of a server until the files no longer contain the text. Resolves to false if they still do after ten seconds. */
export async function leavesFiles(
  { db, clock }: Pick<Wall, 'db' | 'clock'>,
  storage: StorageSettings,
  text: string,
): Promise<boolean> {
  await runJobs(db, clock.now);
  for (let i = 0; i < 100 && (await isInFiles(storage, text)); i += 1) {
    await pause(100);
    // The old text is overwritten by later writes, here those of the jobs.
    await runJobs(db, (clock.now += 61));
  }
  return !(await isInFiles(storage, text));
}
