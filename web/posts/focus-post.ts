/** Gives the focus to a post of the list on screen. A windowed list measures itself for a frame before it shows any. */
export function focusPost(position: number): void {
  requestAnimationFrame(() => requestAnimationFrame(() => focusShown(position)));
}

function focusShown(position: number): void {
  const post = document.querySelector<HTMLElement>(`[role=feed] article[aria-posinset="${position}"]`);
  (post ?? document.querySelector('main'))?.focus({ preventScroll: true });
}

/** Where a post stands in the list on screen, 0 for nowhere. */
export function positionOf(id: string): number {
  const link = document.querySelector(`[role=feed] [data-permalink][href="/posts/${CSS.escape(id)}"]`);
  return Number(link?.closest('article')?.getAttribute('aria-posinset'));
}
