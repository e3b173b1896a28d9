import { AuthorGone, publishPending } from '../posts/pending-posts.ts';
import type { Database, Tx } from '../../db/database.ts';
import { type By, type Outcome, recordAct } from './journal.ts';

/** Lets a newcomer's post through. `postId` is null when the reply is no longer possible: it goes back to its author. */
export async function actApprove(
  db: Database,
  id: number,
  open: (tx: Tx) => Promise<By>,
): Promise<Outcome<{ postId: number | null }>> {
  try {
    return await db.tx(async (tx): Promise<Outcome<{ postId: number | null }>> => {
      const by = await open(tx);
      const published = await publishPending(tx, id, by.at);
      if (!published) return { refused: 'missing' };
      const targetId = published.postId ?? id;
      return {
        ...published,
        actId: await recordAct(tx, by, { action: 'approve', target: String(targetId), targetId }),
      };
    });
  } catch (error) {
    if (error instanceof AuthorGone) return { refused: 'missing' };
    throw error;
  }
}
