import { statfs } from 'node:fs/promises';
import type { WallAdmin } from '#contract/wall-admin.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { countFailingJobs } from '../db/job-queue.ts';
import type { OpenFiles } from '../http/open-files.ts';
import { readMail } from '../mail/mail-state.ts';
import { waitingMails } from '../mail/outbox.ts';
import { lastBackup, lastCopyCheck } from './backups.ts';
import type { JobRunner } from './jobs/job-runner.ts';

interface HealthOptions {
  db: Database;
  jobs: Pick<JobRunner, 'runs'>;
  config: Pick<Config, 'codeTtlSeconds' | 'dataDir' | 'lettersPerDay' | 'smtpUrl'>;
  openFiles: Readonly<OpenFiles>;
  /** Unix seconds. */
  now: () => number;
}

export type WallHealth = ReturnType<typeof wallHealth>;

/** The state of the wall for its owners and its operator: the source of the owners' page and of the metrics. */
export function wallHealth({ db, jobs, config, openFiles, now }: HealthOptions) {
  return {
    mail: () => readMail(db, config, now()),
    mailsWaiting: () => waitingMails(db.read, now(), config),
    /** For each name of a job, the number of jobs whose last run has failed. */
    async jobsFailing() {
      // While nothing can be written, no failure can be stored, so each name counts as one failing job.
      const stored = db.writes.areFailing ? undefined : await countFailingJobs(db.read);
      const failing = new Map(stored?.map(({ name, n }) => [name, n]));
      return [...jobs.runs.keys()].map((name) => ({ name, count: failing.get(name) ?? Number(!stored) }));
    },
    writes: () => db.writes,
    outOfFilesAt: () => openFiles.outAt,
    /** `last` is 0 before the first copy. */
    async copies() {
      const [last, check] = await Promise.all([lastBackup(db.read), lastCopyCheck(db.read)]);
      return { last, check };
    },
    /** Null if there is no data folder. */
    async disk(): Promise<WallAdmin['health']['disk']> {
      try {
        const { bavail, blocks, bsize } = await statfs(config.dataDir);
        return { free: bavail * bsize, size: blocks * bsize };
      } catch {
        return null;
      }
    },
  };
}
