import type { KeyboardEvent } from 'react';
import { addresses } from '#contract/addresses.ts';
import { idOf } from '../card/id-of.ts';

type BringIn = (id: string) => Element | null;

/** Puts a row of the list on screen into the document, and scrolls near it. */
let bringIn: BringIn | undefined;

export function onScrollToPost(bring: BringIn): () => void {
  bringIn = bring;
  return () => {
    if (bringIn === bring) bringIn = undefined;
  };
}

/** Scrolls a post of the list on screen to `top` pixels below the top of the window. */
export function scrollToPost(id: string, top: number): void {
  const row = cardOf(id) ? null : bringIn?.(id);
  const shown = cardOf(id) ?? row;
  if (shown) scrollBy({ top: shown.getBoundingClientRect().top - top, behavior: 'instant' });
}

/** Whether a post is in the document and the page is long enough below it to scroll it to `top`. */
export function canScrollToPost(id: string, top: number): boolean {
  const { scrollHeight } = document.documentElement;
  const card = cardOf(id);
  return card !== null && card.getBoundingClientRect().top - top <= scrollHeight - innerHeight - scrollY;
}

/** Focuses a post of the list on screen when no dialog is open. The rows in the document follow a scroll one frame later. */
export function focusPost(position: number): void {
  requestAnimationFrame(() => requestAnimationFrame(() => focusShown(position)));
}

function focusShown(position: number): void {
  // Nothing outside an open dialog can be focused. The dialog of a deletion closes after the post is gone.
  if (document.querySelector('dialog[open]')) return void requestAnimationFrame(() => focusShown(position));
  // A list has no card for a muted author, so the next card is focused.
  const cards = document.querySelectorAll<HTMLElement>('[role=feed] article[aria-posinset]');
  const post = [...cards].find((card) => Number(card.ariaPosInSet) >= position);
  (post ?? document.querySelector('main'))?.focus({ preventScroll: true });
}

/** Called before deleted posts disappear: if the focus is in the card of one of them, the card that takes its place gets it. */
export function leaveDeleted(ids: readonly string[]): void {
  const card = document.activeElement?.closest('[role=feed] article');
  const id = card && idOf(card);
  if (id && ids.includes(id)) focusPost(positionOf(id));
}

/** The position of a post in the list on screen, 0 if it is not there. */
export function positionOf(id: string): number {
  return Number(cardOf(id)?.getAttribute('aria-posinset'));
}

/** The card of a post in the list on screen, if it is in the document. */
function cardOf(id: string): Element | null {
  const link = document.querySelector(`[role=feed] [data-permalink][href="${addresses.post.href({ id })}"]`);
  return link?.closest('article') ?? null;
}

/** The cards in the document, with the ids of their posts. The id is empty for the row of a deleted post. */
export const cardsOnScreen = (): Array<readonly [id: string, card: Element]> =>
  [...document.querySelectorAll('main article')].map((card) => [idOf(card) ?? '', card]);

/** Page Down and Page Up move between articles (ARIA feed pattern). */
export function moveBetweenPosts(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
  if (step === 0 || !(event.target instanceof Element)) return;
  const articles = [...event.currentTarget.querySelectorAll<HTMLElement>('article[aria-posinset]')];
  const current = event.target.closest<HTMLElement>('article[aria-posinset]');
  const next = current && articles[articles.indexOf(current) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
