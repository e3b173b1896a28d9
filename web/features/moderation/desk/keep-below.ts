/**
 * Changes the height of a card without moving what is being read. A card that begins above the window's upper edge is
 * above it: what is below the card stays. Otherwise everything above the card does.
 */
export function keepBelow(card: HTMLElement | null, change: () => void): void {
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const before = card?.getBoundingClientRect();
  change();
  const after = card?.isConnected ? card.getBoundingClientRect() : undefined;
  if (!before || !after || before.top >= header) return;
  scrollBy(0, after.bottom - before.bottom);
}
