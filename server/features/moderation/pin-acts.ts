import type { Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { isPinned, lockPin, type Pin, setPin } from '../posts/pinned.ts';
import { lockVisiblePost } from '../posts/writes.ts';
import { type By, type Outcome, recordAct } from './journal.ts';

const onPost = (action: 'pin' | 'unpin', { post, until }: Pin) => ({
  action,
  target: String(post),
  targetId: post,
  details: { until },
  endsAll: true as const,
});

/** Pins a root post, in place of another one. */
export async function actPin(tx: Tx, pin: Pin, by: By): Promise<Outcome> {
  const post = await lockVisiblePost(tx, pin.post);
  if (!post) return { refused: 'missing' };
  if (post.replied_post_id !== null) return { refused: 'reply' };
  if (!isPinned(pin, by.at)) return { refused: 'past' };
  const before = await lockPin(tx);
  if (before?.post === pin.post && before.until === pin.until) return { refused: 'already' };
  await setPin(tx, pin);
  // Cached responses show the post until something they depend on is written.
  if (pin.until !== null) await schedule(tx, { name: 'end-pin', at: pin.until });
  return { actId: await recordAct(tx, by, { ...onPost('pin', pin), ends: ['pin', 'unpin'] }) };
}

export async function actUnpin(tx: Tx, by: By): Promise<Outcome> {
  const before = await lockPin(tx);
  if (!isPinned(before, by.at)) return { refused: 'already' };
  await setPin(tx, null);
  return { actId: await recordAct(tx, by, { ...onPost('unpin', before), ends: ['pin'] }) };
}
