import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/database.ts';
import { endBlock } from '../../features/moderation/block-acts.ts';
import { notifyFollowers } from '../../features/notifications/recipients.ts';
import { forgetFollows } from '../../features/notifications/forget-follows.ts';
import { moveRemainingLikes } from '../../features/posts/move-likes.ts';
import { publishDue } from '../../features/posts/pending-posts.ts';
import { closeGaps } from '../../features/posts/thread-counts.ts';
import { forgetOldReadings } from '../../features/reading/store.ts';
import { buildIndex } from '../../search/build-index.ts';
import type { Secrets } from '../../secrets.ts';
import { applyEmailChanges } from './apply-email-changes.ts';
import { clearDeleted, forgetConsents } from './clear-deleted.ts';
import { JobRunner } from './job-runner.ts';
import { purgeDeletedPosts } from './purge-deleted-posts.ts';
import { removeExpired } from './remove-expired.ts';
import { sendDigests } from './send-digests.ts';
import { tellOfReports } from './tell-of-reports.ts';

/** A deleted text is gone at most this long after its time to be restored, and a poll of the queue. */
const purgeEverySeconds = 15;
const daySeconds = 24 * 3_600;

interface WallJobOptions {
  db: Database;
  secrets: Secrets;
  log: FastifyBaseLogger;
  /** Unix seconds. */
  now: () => number;
}

/** Every job of the wall. */
export function wallJobs(options: WallJobOptions): JobRunner {
  const { db, log, secrets } = options;
  const jobs = new JobRunner(options);
  const everySeconds = 60;
  jobs.register('apply-email-changes', ({ now }) => applyEmailChanges(db, now, log), {
    everySeconds,
    needsSteadyClock: true,
  });
  jobs.register('clear-deleted', (run) => clearDeleted(db, run), { everySeconds });
  jobs.register('close-gaps', ({ key, tx }) => tx((opened) => closeGaps(opened, Number(key))));
  jobs.register('end-block', ({ key, tx, now }) => tx((opened) => endBlock(opened, Number(key), now)));
  jobs.register('end-pin', ({ tx }) => tx(async (opened) => opened.touch('feed')));
  jobs.register('forget-consents', (run) => forgetConsents(run, Number(run.key)), { needsSteadyClock: true });
  jobs.register('forget-follows', (run) => forgetFollows(db.read, run), { everySeconds: daySeconds });
  jobs.register('forget-readings', (run) => forgetOldReadings(run, Number(run.key)));
  jobs.register('index-posts', (run) => buildIndex(db.read, run), { everySeconds });
  jobs.register('move-likes', (run) => moveRemainingLikes(db, Number(run.key), run));
  jobs.register('publish-pending', (run) => publishDue(db, run), { everySeconds });
  // Without a steady clock: an hour of waiting would keep the text for longer than promised, and its author wanted it gone.
  jobs.register('purge-deleted-posts', (run) => purgeDeletedPosts(db, run), { everySeconds: purgeEverySeconds });
  jobs.register('remove-expired', async (run) => void (await removeExpired(run, run.now)), {
    everySeconds,
    needsSteadyClock: true,
  });
  jobs.register('send-digests', (run) => sendDigests(run, secrets), { everySeconds });
  jobs.register('tell-of-reports', (run) => tellOfReports(db, run, secrets), { everySeconds });
  jobs.register('tell-followers', notifyFollowers, { isUrgent: true });
  return jobs;
}
