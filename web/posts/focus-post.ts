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
  return Number(cardOf(id)?.getAttribute('aria-posinset'));
}

/** A post in the list on screen, if it is in the document. */
export function cardOf(id: string): Element | null {
  const link = document.querySelector(`[role=feed] [data-permalink][href="/posts/${CSS.escape(id)}"]`);
  return link?.closest('article') ?? null;
}

/** Which post a card of the list shows. */
export function idOf(card: Element): string | null {
  return card.querySelector('[data-permalink]')?.getAttribute('href')?.replace('/posts/', '') ?? null;
}
