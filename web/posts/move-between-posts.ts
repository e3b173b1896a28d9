import type { KeyboardEvent } from 'react';

/** Page Down and Page Up go from article to article, as readers of a feed expect (ARIA feed pattern). */
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
