import type { Database } from '../../db/database.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { readSetting } from '../../db/wall-settings.ts';
import { reportLetters } from '../../features/wall-texts/wall-settings.ts';
import type { Notice } from '../../mail/notices.ts';
import { queueNotice } from '../../mail/outbox.ts';
import type { Secrets } from '../../secrets.ts';
import type { JobRun } from './job-runner.ts';

/** How long reports wait before those who keep the wall get a letter. */
const patienceSeconds = 3_600;

/**
 * Queues one letter to each person who keeps the wall about all reports that have waited long enough. The reports are marked in
 * the same transaction, so no report is in two letters to one person.
 */
export async function tellOfReports(
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
