import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { AlreadyTaken, type Database, type Tx } from '../../db/database.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { readSetting } from '../../db/wall-setting-rows.ts';
import { claimDueChange, dueEmailChanges } from '../../features/account/email-changes.ts';
import { changeEmail } from '../../features/account/account-store.ts';
import { storedTables } from '../../features/account/stored-tables.ts';
import { carryJob, findMonthly, startCarry, stateOf } from '../../features/carries/carry-store.ts';
import { makeCarry } from './make-carry.ts';
import { endBlock } from '../../features/moderation/person-acts.ts';
import {
  claimAnswered,
  claimSubscribers,
  hasNews,
  isFileDue,
  monthStart,
  type LetterSubscriber,
  wasHere,
} from '../../features/notifications/digest-store.ts';
import { forgetFollows } from '../../features/notifications/follows.ts';
import { notifyFollowers } from '../../features/notifications/recipients.ts';
import { latestUnseen } from '../../features/notifications/removals.ts';
import { updateBest, updateBestEverySeconds, bestJob } from '../../features/lists/update-best.ts';
import { purgeDeleted } from '../../features/posts/own-deletion.ts';
import { publishDue } from '../../features/posts/pending-posts.ts';
import { notePin } from '../../features/lists/pinned.ts';
import { closeGaps } from '../../features/posts/thread-counts.ts';
import { forgetOldReadings } from '../../features/reading/reading-store.ts';
import { closeAllSessionsOf, lockAccount } from '../../features/sessions/session-store.ts';
import { endOperationsOf } from '../../features/sign-in/sign-in-store.ts';
import { carryLetters, reportLetters } from '../../features/wall-texts/wall-settings.ts';
import type { Notice } from '../../mail/notices.ts';
import { queueNotice } from '../../mail/outbox.ts';
import type { SubscribedMail } from '../../mail/sender.ts';
import { compareAllNames, compareNamesJob } from '../../names/namesakes.ts';
import { buildIndex } from '../../search/build-index.ts';
import type { Secrets } from '../../secrets.ts';
import { clearDeleted, forgetConsents } from './clear-deleted.ts';
import { type JobRun, JobRunner } from './job-runner.ts';

/** Keepers get a letter about a report that has been open for this time. */
const patienceSeconds = 3_600;

/**
 * Queues one letter to each keeper about all reports that have waited long enough. The reports are marked in the same
 * transaction, so no keeper gets two letters about one report.
 */
async function tellOfReports(
  { read }: Pick<Database, 'read'>,
  { tx, now }: Pick<JobRun, 'tx' | 'now'>,
  secrets: Secrets,
): Promise<void> {
  const waiting = await read
    .selectFrom('reports')
    .select('id')
    .where('settled_at', 'is', null)
    .where('told_at', 'is', null)
    .where('created_at', '<=', now - patienceSeconds)
    .limit(1)
    .executeTakeFirst();
  if (!waiting || (await readSetting(read, reportLetters)) === JSON.stringify('off')) return;
  await tx(async (opened) => {
    const told = await opened.db
      .updateTable('reports')
      .set({ told_at: now })
      .where('settled_at', 'is', null)
      .where('told_at', 'is', null)
      .where('created_at', '<=', now - patienceSeconds)
      .returning('post_id')
      .execute();
    if (told.length === 0) return;
    const notice: Notice = { kind: 'reports', posts: new Set(told.map(({ post_id: id }) => id)).size, at: now };
    const keepers = await opened.db
      .selectFrom('users')
      .select('email')
      .where('role', 'is not', null)
      .where(isNotDeleted('users'))
      .where(isNotBlocked('users'))
      .execute();
    for (const { email } of keepers) {
      await queueNotice(opened, { recipient: email, sealed: secrets.seal(JSON.stringify(notice)), now });
    }
  });
}

/** People per transaction, so that other writers do not wait long. */
const digestBatch = 50;

/**
 * Decides once per period for each subscriber whether the person gets a letter, and queues it in the same transaction. The job
 * does not need a steady clock: a wrong clock only makes letters early or late.
 */
async function sendLetters(
  { read }: Pick<Database, 'read'>,
  { tx, now }: Pick<JobRun, 'tx' | 'now'>,
  secrets: Secrets,
): Promise<void> {
  const queue = (opened: Tx, recipient: string, content: SubscribedMail): Promise<void> =>
    queueNotice(opened, { kind: content.kind, recipient, sealed: secrets.seal(JSON.stringify(content)), now });
  const queueAnswers = (): Promise<boolean> =>
    tx(async (opened) => {
      const people = await claimAnswered(opened, { now, limit: digestBatch });
      for (const { id, email, rootIds, after } of people ?? []) {
        for (const rootId of rootIds) await queue(opened, email, { kind: 'answers', userId: id, rootId, after });
      }
      return people !== undefined;
    });
  while (await queueAnswers());
  for (const digest of ['daily', 'weekly', 'untold'] as const) {
    const decideNext = (): Promise<boolean> =>
      tx(async (opened) => {
        const subscribers = await claimSubscribers(opened, digest, { now, limit: digestBatch });
        for (const subscriber of subscribers ?? []) {
          const { id, email } = subscriber;
          if (await isDigestDue(opened, subscriber, now)) await queue(opened, email, { kind: 'digest', userId: id });
        }
        return subscribers !== undefined;
      });
    while (await decideNext());
  }
  const kinds = (await hasMonthlyFile({ read }, { tx, now }))
    ? (['best', 'wall', 'file'] as const)
    : (['best', 'wall'] as const);
  for (const kind of kinds) {
    const queueNext = (): Promise<boolean> =>
      tx(async (opened) => {
        const subscribers = await claimSubscribers(opened, kind, { now, limit: digestBatch });
        for (const { id, email } of subscribers ?? []) await queue(opened, email, { kind, userId: id });
        return subscribers !== undefined;
      });
    while (await queueNext());
  }
}

/** Whether letters with the file of the wall are due and the file is made. Asks for the file if there is none. */
async function hasMonthlyFile(
  { read }: Pick<Database, 'read'>,
  { tx, now }: Pick<JobRun, 'tx' | 'now'>,
): Promise<boolean> {
  if ((await readSetting(read, carryLetters)) !== JSON.stringify('on') || !(await isFileDue(read, now))) return false;
  const carry = await findMonthly(read, ['making', 'ready']);
  if (carry && carry.made_at >= monthStart(now) && stateOf(carry, now) !== 'failed') return carry.state === 'ready';
  const scope = { ofId: null, withOthers: true, year: null };
  await tx((opened) => startCarry(opened, { ...scope, userId: null, now, days: 31 }));
  return false;
}

async function isDigestDue(
  tx: Tx,
  { id, digest_no: after }: Pick<LetterSubscriber, 'id' | 'digest_no'>,
  now: number,
): Promise<boolean> {
  if (await wasHere(tx, id, now)) return false;
  return (await hasNews(tx.db, id, after)) || (await latestUnseen(tx.db, id, 1))[0]?.told_at === null;
}

/** Rows per transaction, so that other writers do not wait long. */
const expiredBatch = 500;

/** Removes expired rows; resolves to their number. */
export async function removeExpired({ tx }: Pick<Database, 'tx'>, now: number): Promise<number> {
  let removed = 0;
  for (const [table, { expires }] of Object.entries(storedTables)) {
    if (!expires) continue;
    const { key, column, seconds, butNewest } = expires;
    const but = butNewest ? sql`and ${sql.ref(key)} < (select max(${sql.ref(key)}) from ${sql.table(table)})` : sql``;
    const isExpired = sql`${sql.ref(column)} < ${now - seconds}`;
    const keys = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${isExpired} ${but} limit ${expiredBatch}`;
    // Several rows may have the same key although not all of them have expired.
    const remove = sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${keys}) and ${isExpired} returning 1`;
    for (;;) {
      const { rows } = await tx(({ db }) => remove.execute(db));
      removed += rows.length;
      if (rows.length < expiredBatch) break;
    }
  }
  return removed;
}

/** Rows per transaction, so that other writers do not wait long. */
const purgeBatch = 50;

/** Removes posts whose authors have deleted them and can no longer restore them. */
export async function purgeDeletedPosts(
  db: Pick<Database, 'trimLog'>,
  { tx, now }: Pick<JobRun, 'tx' | 'now'>,
): Promise<void> {
  while (await tx((opened) => purgeDeleted(opened, now, purgeBatch))) db.trimLog();
}

/** Applies operators' changes of addresses that the owner of the account has not refused in time. */
export async function applyEmailChanges(db: Database, now: number, log: FastifyBaseLogger): Promise<void> {
  for (const change of await dueEmailChanges(db.read, now)) {
    const { token_hash: tokenHash, user_id: userId, email, new_email: newEmail } = change;
    const applying = db.tx(async (tx) => {
      if (!(await claimDueChange(tx, tokenHash))) return;
      // The owner has changed the address or deleted the account since.
      if ((await lockAccount(tx, userId)) !== email) return;
      await changeEmail(tx, userId, newEmail!);
      await endOperationsOf(tx, userId);
      await closeAllSessionsOf(tx, userId);
    });
    await applying.catch(async (error: unknown) => {
      if (!(error instanceof AlreadyTaken)) throw error;
      log.warn({ user: userId }, 'an operator’s change of address was dropped: another account has the address');
      await db.tx((tx) => claimDueChange(tx, tokenHash));
    });
  }
}

/** A deleted text is erased at most this time, plus one poll of the queue, after it can no longer be restored. */
const purgeEverySeconds = 15;
const daySeconds = 24 * 3_600;

interface WallJobOptions {
  db: Database;
  secrets: Secrets;
  log: FastifyBaseLogger;
  /** Unix seconds. */
  now: () => number;
}

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
  jobs.register(compareNamesJob, compareAllNames);
  jobs.register(carryJob, (run) => makeCarry(db, run), { isUrgent: true });
  jobs.register('end-block', ({ key, tx, now }) => tx((opened) => endBlock(opened, Number(key), now)));
  jobs.register('end-pin', ({ tx, now }) => tx((opened) => notePin(opened, now)));
  jobs.register('forget-consents', (run) => forgetConsents(run, Number(run.key)), { needsSteadyClock: true });
  jobs.register('forget-follows', (run) => forgetFollows(db.read, run), { everySeconds: daySeconds });
  jobs.register('forget-readings', (run) => forgetOldReadings(run, Number(run.key)));
  jobs.register('index-posts', (run) => buildIndex(db.read, run), { everySeconds });
  jobs.register(bestJob, (run) => updateBest(db.read, run), { everySeconds: updateBestEverySeconds });
  jobs.register('publish-pending', (run) => publishDue(db, run), { everySeconds });
  // This job does not wait for a steady clock: an hour more would keep a deleted text for longer than promised.
  jobs.register('purge-deleted-posts', (run) => purgeDeletedPosts(db, run), { everySeconds: purgeEverySeconds });
  jobs.register('remove-expired', async (run) => void (await removeExpired(run, run.now)), {
    everySeconds,
    needsSteadyClock: true,
  });
  jobs.register('send-digests', (run) => sendLetters(db, run, secrets), { everySeconds });
  jobs.register('tell-of-reports', (run) => tellOfReports(db, run, secrets), { everySeconds });
  jobs.register('tell-followers', notifyFollowers, { isUrgent: true });
  return jobs;
}
