import { addresses } from '#contract/addresses.ts';
import { idOf } from '../features/posts/card/id-of.ts';
import { focusPost, positionOf, scrollToPost } from '../features/posts/list/posts-on-screen.ts';
import { isByTime, type PostList } from '../features/posts/store/post-list-state.ts';
import type { PostStore } from '../features/posts/store/post-store.ts';
import type { Thread } from '../features/posts/store/thread-tree.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { listOn, type Screen } from './screen.ts';

interface StoredSpot extends Spot {
  /** The key of the history entry. */
  entry: string;
  path: string;
}

const key = 'places';
const most = 50;

const all = (): StoredSpot[] => JSON.parse(readStored('sessionStorage', key) ?? '[]');

const here = (): string => location.pathname + location.search;

/** Stores the reader's position for the next load of this page: a reload, a discarded tab, a return from another site. */
export function storeSpot(entry: string, spot: Spot): void {
  const others = all().filter((other) => other.entry !== entry);
  writeStored('sessionStorage', key, JSON.stringify([...others, { ...spot, entry, path: here() }].slice(-most)));
}

export function storedSpot(entry: string): Spot | null {
  return all().find((spot) => spot.entry === entry && spot.path === here()) ?? null;
}

/**
 * The reader's stored position if the browser loads the page once more: by a reload, by Back or Forward, or after it was discarded.
 * A link to the page's own address, or the address typed again, keeps the history entry but starts at the top.
 */
export function spotBeforeLoad(entry: string): Spot | null {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return load?.type === 'navigate' ? null : storedSpot(entry);
}

/** The position at a reply that the address names: `/posts/7#12`. The reply is scrolled to the upper third of the window. */
export function namedSpot({ hash }: URL | Location): Spot | null {
  const id = /^#(\d{1,19})$/.exec(hash)?.[1];
  return id === undefined
    ? null
    : { scrollY: 0, position: 0, anchor: { id, position: 1, top: Math.round(innerHeight / 3) }, isNamed: true };
}

/** Calls `store` whenever the page may be discarded next. Phones discard hidden tabs without a further event. */
export function beforePageGoes(store: () => void): void {
  addEventListener('pagehide', store);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') store();
  });
}

/** The reader's position on a page. */
export interface Spot {
  scrollY: number;
  /** The position in the list of the focused post; 0 for none. */
  position: number;
  /** Null when the top of the list is visible or there is no list. */
  anchor: Anchor | null;
  /** The address names the post. If the discussion does not contain it, the post's own page is opened. */
  isNamed?: true;
}

/** The post at the top of the window. The content above it may have another height next time. */
export interface Anchor {
  id: string;
  /** The position of the post in the list, counted from 1. */
  position: number;
  /** Distance from the top of the window, px. */
  top: number;
  /** The posts above the anchor in a discussion, from the replied post up to the post of the page. */
  path?: string[];
}

export function currentSpot(list: PostList | undefined): Spot {
  return {
    scrollY: window.scrollY,
    position: positionIn(document.activeElement?.closest('article')),
    anchor: anchorInView(list),
  };
}

function anchorInView(list: PostList | undefined): Anchor | null {
  for (const article of document.querySelectorAll('[role=feed] article')) {
    const { top, bottom } = article.getBoundingClientRect();
    if (bottom <= 0) continue;
    const [id, position] = [idOf(article), positionIn(article)];
    // The row of a deleted post has no id.
    if (id === null) continue;
    if (position === 1 && top > 0) return null;
    return { id, position, top, ...(list?.thread && { path: pathTo(id, list.thread) }) };
  }
  return null;
}

function pathTo(id: string, { nodes }: Thread): string[] {
  const path: string[] = [];
  for (let at = nodes.get(id)?.parent; at; at = nodes.get(at)?.parent) path.push(at);
  return path;
}

const positionIn = (article: Element | null | undefined): number => Number(article?.getAttribute('aria-posinset'));

/** Restores the reader's position on a screen that is unchanged. */
export function returnTo({ scrollY, position }: Spot): void {
  window.scrollTo(0, scrollY);
  focusMain();
  if (position > 0) focusPost(position);
}

/** Whether the reader has scrolled away from the stored position after the browser restored it by itself. */
export const hasMovedOn = ({ scrollY }: Spot): boolean => window.scrollY > 0 && Math.abs(window.scrollY - scrollY) > 1;

/** Whether the loaded part of the list contains the anchor. */
export function isInSight({ anchor }: Spot, screen: Screen, store: PostStore): boolean {
  const list = listOn(screen, store);
  return anchor === null || !list || list.ids.includes(anchor.id);
}

/** Restores the reader's position on a page that was loaded again. The next older post stands in for a deleted one. */
export function findSpot({ scrollY, anchor, isNamed }: Spot, screen: Screen, store: PostStore): void {
  const list = listOn(screen, store);
  if (!anchor || !list) return scrollTo(0, scrollY);
  const there = list.ids.includes(anchor.id) ? anchor.id : null;
  if (isNamed && there === null) return location.replace(addresses.post.href(anchor));
  if (isNamed) queueMicrotask(() => focusPost(positionOf(anchor.id)));
  const below = isByTime(list) ? list.ids.find((other) => Number(other) < Number(anchor.id)) : undefined;
  const found = there ?? below ?? list.ids.slice(0, anchor.position).at(-1);
  // Of a tall anchor only the end may have been visible, so a stand-in that is less tall would be above the window.
  if (found !== undefined) scrollToPost(found, there ? anchor.top : Math.max(0, anchor.top));
}

/** Focuses the main element, unless an element of the new page has taken the focus. */
export function focusMain(): void {
  const main = nameMain();
  if (!main?.querySelector('[data-autofocus]:focus')) main?.focus({ preventScroll: true });
}

/** Labels the main element with the page's title, so that screen readers announce the page. */
export function nameMain(): HTMLElement | null {
  const main = document.querySelector('main');
  if (main) main.ariaLabel = document.title;
  return main;
}
