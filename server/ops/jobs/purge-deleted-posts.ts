import type { Database } from '../../db/database.ts';
import { purgeDeleted } from '../../features/posts/own-deletion.ts';
import type { JobRun } from './job-runner.ts';

/** Rows per transaction, so that other writers do not wait long. */
const batch = 50;

/** Removes posts whose authors have deleted them and can no longer restore them. */
export async function purgeDeletedPosts(
  db: Pick<Database, 'trimLog'>,
  { tx, now }: Pick<JobRun, 'tx' | 'now'>,
): Promise<void> {
  while (await tx((opened) => purgeDeleted(opened, now, batch))) db.trimLog();
}
