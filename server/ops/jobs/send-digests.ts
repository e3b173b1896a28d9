import type { Tx } from '../../db/database.ts';
import {
  claimSubscribers,
  recordDigest,
  type Subscriber,
  unreadPosts,
  wasHere,
} from '../../features/notifications/digest-store.ts';
import { latestUnseen, noteTold } from '../../features/notifications/removals.ts';
import { queueNotice } from '../../mail/outbox.ts';
import type { DigestMail } from '../../mail/sender.ts';
import type { Secrets } from '../../secrets.ts';
import type { JobRun } from './job-runner.ts';

/** People per transaction, so that other writers do not wait long. */
const batch = 50;

/**
 * Decides for each subscriber, once per period, whether they get a letter, and queues it in the same transaction. A clock that
 * is wrong makes a letter early or late, so the job does not wait for a steady one.
 */
export async function sendDigests({ tx, now }: Pick<JobRun, 'tx' | 'now'>, secrets: Secrets): Promise<void> {
  for (const digest of ['daily', 'weekly'] as const) {
    const decideNext = (): Promise<boolean> =>
      tx(async (opened) => {
        const subscribers = await claimSubscribers(opened, digest, { now, limit: batch });
        for (const subscriber of subscribers ?? []) await decide(opened, subscriber, { now, secrets });
        return subscribers !== undefined;
      });
    while (await decideNext());
  }
}

async function decide(
  tx: Tx,
  subscriber: Subscriber,
  { now, secrets }: { now: number; secrets: Secrets },
): Promise<void> {
  const { id, email, news_after: after } = subscriber;
  if (await wasHere(tx, id, now)) return;
  const [news] = await unreadPosts(tx.db, { userId: id, after, limit: 1 });
  if (!news && (await latestUnseen(tx.db, id, 1))[0]?.told_at !== null) return;
  const content: DigestMail = { kind: 'digest', userId: id };
  await queueNotice(tx, { recipient: email, sealed: secrets.seal(JSON.stringify(content)), now });
  await recordDigest(tx, subscriber);
  await noteTold(tx, id, now);
}
