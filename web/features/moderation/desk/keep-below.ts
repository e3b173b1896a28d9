import { isDialogEntry } from '../../../lib/dialog-entry.ts';

/** Resolves when a closed dialog has left the history, and the browser has restored its scroll position. */
export async function dialogEntryLeft(): Promise<void> {
  const frame = () => new Promise(requestAnimationFrame);
  while (isDialogEntry()) await frame();
  await frame();
  await frame();
}

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
