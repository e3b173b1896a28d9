import { flushSync } from 'react-dom';

/**
 * Makes a change that adds or removes rows of lists. The posts on the screen stay where they are: browsers do not hold windowed
 * lists still. If the post with the focus is removed, the next post gets the focus.
 */
export function keepPlace(change: () => void): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[role=feed] article')];
  if (cards.length === 0) return change();
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart) || 0;
  const focused = cards.findIndex((card) => card.contains(document.activeElement));
  const onScreen = cards
    .map((card) => ({ card, box: card.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > covered && box.top < innerHeight);
  flushSync(change);
  const stayed = onScreen.find(({ card }) => card.isConnected);
  if (stayed) scrollBy(0, stayed.card.getBoundingClientRect().top - stayed.box.top);
  if (focused < 0 || cards[focused]!.isConnected) return;
  const next = cards.slice(focused).find((card) => card.isConnected) ?? document.querySelector('main');
  next?.focus({ preventScroll: true });
}
