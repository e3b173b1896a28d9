import { createObservable } from '../../../lib/observable.ts';
import type { ReplyAction } from '../../session/actions.ts';
import { isInDiscussion } from '../list/posts-on-screen.ts';

/** The reply that is written in the discussion on the screen. */
export const inlineReply = createObservable<(ReplyAction & { isNew: boolean }) | null>(null);

/** Below this height of the window a form within the page would leave no room for what is answered. */
const leastHeight = 400;

/** Opens the form beneath what is answered. Returns false where the dialog has to do it. */
export function openInline(action: ReplyAction): boolean {
  if (innerHeight < leastHeight || !isInDiscussion(action.postId)) return false;
  inlineReply.set({ ...action, isNew: true });
  return true;
}
