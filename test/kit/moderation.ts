import { removePost as removeInTransaction, restoreRemoved } from '../../server/features/moderation/removal.ts';
import { lockPost } from '../../server/features/posts/post-writes.ts';
import type { Wall } from './wall.ts';

/** Removes a post as moderators do, without an entry in the journal. */
export function removePost(
  { db, clock }: Pick<Wall, 'db' | 'clock'>,
  id: string,
  reason = 'не по правилам',
): Promise<boolean> {
  return db.tx(async (tx) => {
    const post = await lockPost(tx, Number(id));
    if (post) await removeInTransaction(tx, post, { now: clock.now, reason, withBlock: false });
    return post !== undefined;
  });
}

export const restore = ({ db, clock }: Pick<Wall, 'db' | 'clock'>, id: string): ReturnType<typeof restoreRemoved> =>
  db.tx((tx) => restoreRemoved(tx, Number(id), clock.now));
