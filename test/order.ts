import { hidePost } from '../server/order/hide-post.ts';
import { restorePost } from '../server/order/restore-post.ts';
import { takePost } from '../server/posts/writes.ts';
import type { Wall } from './wall.ts';

/** What an operator does to a post, without the command line. */
export function hide(
  { db, clock }: Pick<Wall, 'db' | 'clock'>,
  id: string,
  reason = 'не по правилам',
): Promise<boolean> {
  return db.tx(async (tx) => {
    const post = await takePost(tx, Number(id));
    if (post) await hidePost(tx, post, { now: clock.now, reason, withBlock: false });
    return post !== undefined;
  });
}

export const restore = ({ db, clock }: Pick<Wall, 'db' | 'clock'>, id: string): ReturnType<typeof restorePost> =>
  db.tx((tx) => restorePost(tx, Number(id), clock.now));
