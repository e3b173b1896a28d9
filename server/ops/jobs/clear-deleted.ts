import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import type { Schema } from '../../db/schema.ts';
import { tablesOf } from '../../features/account/stored-tables.ts';
import { lockPeople } from '../../features/notifications/notified-people.ts';
import { clearWithdrawnPostsOf } from '../../features/posts/removed-posts.ts';
import { unlikeAnyPost } from '../../features/posts/likes.ts';
import { changeState } from '../../features/posts/post-states.ts';
import { lockPost } from '../../features/posts/post-writes.ts';
import { closeAllSessionsOf } from '../../features/sessions/session-store.ts';
import { findConsents } from '../../features/sign-in/sign-in-store.ts';
import type { JobRun } from './job-runner.ts';

/** Rows per transaction, so that other writers do not wait long. */
const batch = 50;
/** Consents are kept for the limitation period of three years, in which a person may sue over the processing of the data. */
const consentSeconds = 3 * 366 * 24 * 3_600;
/** A request that was admitted before the deletion may still write for this long. */
const lateSeconds = 60;

const cleared = tablesOf(({ onDeletion }) => onDeletion === 'cleared');

type Run = Pick<JobRun, 'tx' | 'now'>;

/** Removes the posts and likes of deleted accounts, and takes them out of every count. */
export async function clearDeleted(
  { read, trimLog }: Pick<Database, 'read' | 'trimLog'>,
  { tx, now }: Run,
): Promise<void> {
  const users = await read
    .selectFrom('users')
    .select(['id', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .where('cleared_at', 'is', null)
    .execute();
  for (const { id, deleted_at: deletedAt } of users) {
    await tx((opened) => closeAllSessionsOf(opened, id));
    await clearWritten(read, id, { tx, now });
    while (await tx((opened) => clearWithdrawnPostsOf(opened, { userId: id, now, atMost: batch })));
    // The clock may have been set back since, so the deletion may be dated later than now.
    if (Math.abs(now - deletedAt!) >= lateSeconds) await setCleared(id, { tx, now });
    trimLog();
  }
}

async function clearWritten(read: Kysely<Schema>, userId: number, { tx, now }: Run): Promise<void> {
  for (;;) {
    const posts = await read.selectFrom('posts').select('id').where('user_id', '=', userId).limit(batch).execute();
    const likes = await read
      .selectFrom('likes as l')
      .innerJoin('all_posts as p', 'p.id', 'l.post_id')
      .select('l.post_id')
      .where('l.user_id', '=', userId)
      .orderBy('l.id')
      .limit(batch)
      .execute();
    if (posts.length === 0 && likes.length === 0) return;
    await tx(async (opened) => {
      for (const { post_id: postId } of likes) await unlikeAnyPost(opened, { postId, userId, now });
      for (const { id } of posts) {
        // The post may have been deleted or removed since it was found.
        const post = await lockPost(opened, id);
        if (post) await changeState(opened, post, { to: 'gone' }, now);
      }
    });
  }
}

async function setCleared(userId: number, { tx, now }: Run): Promise<void> {
  await tx(async (opened) => {
    const { db } = opened;
    // With the lock, no post that the person was notified of is withdrawn or restored meanwhile.
    await lockPeople(opened, [userId]);
    if ((await findConsents(db, userId)).length > 0) {
      await schedule(opened, { name: 'forget-consents', key: String(userId), at: now + consentSeconds });
    }
    for (const table of cleared) await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(db);
    await db
      .updateTable('users')
      .set({
        cleared_at: now,
        digest: 'off',
        best_weekly: 0,
        replies_at_once: 0,
        wall_daily: 0,
        file_monthly: 0,
        notifications_count: 0,
        unread_count: 0,
        unseen_removals: 0,
      })
      .where('id', '=', userId)
      .execute();
  });
}

/** Deletes the proof that a deleted person had consented, `consentSeconds` after the account was cleared. */
export async function forgetConsents({ tx }: Pick<Run, 'tx'>, userId: number): Promise<void> {
  await tx(({ db }) => db.deleteFrom('consents').where('user_id', '=', userId).execute());
}
