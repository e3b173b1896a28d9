import { flushSync } from 'react-dom';

/**
 * Makes a change after which lists have other rows. What is on the screen stays where it is, which browsers do not see to in
 * windowed lists, and a post that takes the focus with it leaves it to the next one.
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
