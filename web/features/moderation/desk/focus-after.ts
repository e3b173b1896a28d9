/** Moves the focus from a card that was settled to the next one that needs a decision, or else to the one before. */
export function focusAfter(list: HTMLElement, postId: string): void {
  const cards = [...list.querySelectorAll<HTMLElement>('[data-reported]')];
  const index = cards.findIndex((card) => card.dataset['reported'] === postId);
  const isOpen = (card: HTMLElement) => card.dataset['settled'] === undefined;
  const next = cards.slice(index + 1).find(isOpen) ?? cards.slice(0, index).findLast(isOpen) ?? cards[index];
  if (!next) return;
  // What is on the screen stays where it is.
  next.focus({ preventScroll: true });
  const { top, bottom } = next.getBoundingClientRect();
  if (bottom <= 0 || top >= innerHeight) next.scrollIntoView({ block: 'nearest' });
}
