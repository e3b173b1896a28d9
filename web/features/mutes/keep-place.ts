import { flushSync } from 'react-dom';
import { createAnchor } from '../../lib/keep-in-place.ts';

/**
 * Makes a change that adds or removes rows of lists. The posts on the screen stay where they are: browsers do not hold windowed
 * lists still. If the post with the focus is removed, the next post gets the focus.
 */
export function keepPlace(change: () => void): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[role=feed] article')];
  if (cards.length === 0) return change();
  const focused = cards.findIndex((card) => card.contains(document.activeElement));
  const anchor = createAnchor({ current: document.querySelector<HTMLElement>('[role=feed]') });
  anchor.hold();
  flushSync(change);
  anchor.release();
  if (focused < 0 || cards[focused]!.isConnected) return;
  const next = cards.slice(focused).find((card) => card.isConnected) ?? document.querySelector('main');
  next?.focus({ preventScroll: true });
}
