import { focusPost } from '../posts/focus-post.ts';

/** Where the reader was on a page. */
export interface Place {
  scrollY: number;
  /** Which post of the list had the focus, 0 for none. */
  position: number;
}

export function currentPlace(): Place {
  const article = document.activeElement?.closest('article');
  return { scrollY: window.scrollY, position: Number(article?.getAttribute('aria-posinset')) };
}

export function returnTo({ scrollY, position }: Place): void {
  window.scrollTo(0, scrollY);
  focusMain();
  if (position > 0) focusPost(position);
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
