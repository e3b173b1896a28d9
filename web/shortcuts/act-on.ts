import { flushSync } from 'react-dom';
import { announce } from '../ui/announce.ts';
import type { Shortcut } from './press-shortcut.ts';
import { showKeys } from './show-keys.ts';
import { walkPosts } from './walk-posts.ts';

/** What a shortcut does. Where a button bears it, that button is pressed: it knows who may do what. */
export function actOn(shortcut: Shortcut): void {
  // Opened while this code was on its way.
  if (document.querySelector('dialog[open]')) return;
  switch (shortcut) {
    case 'J':
      return walkPosts(1);
    case 'K':
      return walkPosts(-1);
    case 'L':
      return like();
    case 'R':
      return buttonOf('R', currentPost())?.click();
    case 'N':
      return buttonOf('N', document)?.click();
    case '?':
      return showKeys();
  }
}

function like(): void {
  const button = buttonOf('L', currentPost());
  const before = button?.ariaPressed;
  flushSync(() => button?.click());
  // The button that changes has no focus: nobody would hear of it.
  if (button?.ariaPressed !== before) announce(before === 'true' ? 'Больше не нравится' : 'Нравится');
}

/** The post with the focus, or the one that the page is about. */
function currentPost(): Element | null {
  return document.activeElement?.closest('article') ?? document.querySelector('article:not([aria-posinset])');
}

function buttonOf(shortcut: Shortcut, place: ParentNode | null): HTMLElement | null | undefined {
  return place?.querySelector<HTMLElement>(`[aria-keyshortcuts=${shortcut}]`);
}
