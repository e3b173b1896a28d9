import { focusPost, idOf } from '../posts/focus-post.ts';
import { isByTime } from '../posts/post-list-state.ts';
import type { PostStore } from '../posts/post-store.ts';
import { scrollToPost } from '../posts/scroll-to-post.ts';
import { listOf, type View } from './screen.ts';

/** Where the reader was on a page. */
export interface Place {
  scrollY: number;
  /** Which post of the list had the focus, 0 for none. */
  position: number;
  /** Null where the top of the list is in sight, or there is no list. */
  anchor: Anchor | null;
}

/** The post at the top of the window. What stands above it may be longer or shorter another time. */
export interface Anchor {
  id: string;
  /** In the list, counted from 1. */
  position: number;
  /** From the top of the window. */
  top: number;
}

export function currentPlace(): Place {
  return {
    scrollY: window.scrollY,
    position: positionIn(document.activeElement?.closest('article')),
    anchor: anchorInView(),
  };
}

function anchorInView(): Anchor | null {
  for (const article of document.querySelectorAll('[role=feed] article')) {
    const { top, bottom } = article.getBoundingClientRect();
    if (bottom <= 0) continue;
    const [id, position] = [idOf(article), positionIn(article)];
    return id === null || (position === 1 && top > 0) ? null : { id, position, top };
  }
  return null;
}

const positionIn = (article: Element | null | undefined): number => Number(article?.getAttribute('aria-posinset'));

/** To a page that is as it was left. */
export function returnTo({ scrollY, position }: Place): void {
  window.scrollTo(0, scrollY);
  focusMain();
  if (position > 0) focusPost(position);
}

/** The browser has found the place by itself, and the reader has left it since. */
export const hasMovedOn = ({ scrollY }: Place): boolean => window.scrollY > 0 && Math.abs(window.scrollY - scrollY) > 1;

/** Whether that place can be found in what has been loaded of the page. */
export function isInSight({ anchor }: Place, view: View, store: PostStore): boolean {
  const list = listOf(view);
  return anchor === null || list === null || store.list(list)?.ids.includes(anchor.id) === true;
}

/** To a page that was loaded anew. A post that is gone leaves the one below it in its place. */
export function findPlace({ scrollY, anchor }: Place, view: View, store: PostStore): void {
  const id = listOf(view);
  const list = id === null ? undefined : store.list(id);
  if (!anchor || !list) return scrollTo(0, scrollY);
  const there = list.ids.includes(anchor.id) ? anchor.id : null;
  const below = isByTime(list) ? list.ids.find((other) => Number(other) < Number(anchor.id)) : undefined;
  const found = there ?? below ?? list.ids.slice(0, anchor.position).at(-1);
  if (found !== undefined) scrollToPost(found, anchor.top);
}

export function focusMain(): void {
  nameMain()?.focus({ preventScroll: true });
}

/** Named by the page's title, so that a screen reader says where one has come. */
export function nameMain(): HTMLElement | null {
  const main = document.querySelector('main');
  if (main) main.ariaLabel = document.title;
  return main;
}
