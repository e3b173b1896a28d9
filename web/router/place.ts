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

/** Named by the page's title, so that a screen reader says where one has come. */
export function focusMain(): void {
  const main = document.querySelector('main');
  if (!main) return;
  main.ariaLabel = document.title;
  main.focus({ preventScroll: true });
}
