import { flushSync } from 'react-dom';
import { showLiveMessage } from '../../ui/live-region.tsx';
import { type Shortcut, walkSiblings } from './shortcut.ts';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { KeysDialog } from './keys-dialog.tsx';

/** Performs a shortcut. Most shortcuts click their button, because the button knows what the person may do. */
export function actOn(shortcut: Shortcut): void {
  // A dialog was opened while this code was loading.
  if (document.querySelector('dialog[open]')) return;
  switch (shortcut) {
    case 'J':
      return walkPosts(1);
    case 'K':
      return walkPosts(-1);
    case 'Shift+J':
      return walkSiblings(1);
    case 'Shift+K':
      return walkSiblings(-1);
    case 'F':
      return foldAt(document.activeElement?.closest('article') ?? null);
    case 'L':
      return like();
    case 'R':
      return buttonOf('R', currentPost())?.click();
    case 'N':
    case 'U':
    case 'Z':
      return buttonOf(shortcut, document)?.click();
    case '/':
      return goToSearch();
    case '?':
      return showKeys();
  }
}

/** Folds or unfolds the branch that begins at a post. If none begins there, folds the branch that contains the post. */
function foldAt(post: Element | null): void {
  (buttonOf('F', post) ?? post?.querySelector<HTMLElement>('[data-fold]'))?.click();
}

function goToSearch(): void {
  const field = document.querySelector<HTMLInputElement>('input[type=search]');
  field?.focus();
  field?.select();
  if (!field) document.querySelector<HTMLElement>('a[aria-keyshortcuts="/"]')?.click();
}

function like(): void {
  const button = buttonOf('L', currentPost());
  const before = button?.ariaPressed;
  flushSync(() => button?.click());
  // Screen readers do not announce a change of a button without focus.
  if (button?.ariaPressed !== before) showLiveMessage(before === 'true' ? 'Больше не нравится' : 'Нравится');
}

/** The post with the focus or else the post of the page. */
function currentPost(): Element | null {
  return document.activeElement?.closest('article') ?? document.querySelector('article:not([aria-posinset])');
}

function buttonOf(shortcut: Shortcut, within: ParentNode | null): HTMLElement | null | undefined {
  return within?.querySelector<HTMLElement>(`[aria-keyshortcuts=${shortcut}]`);
}

/** Focuses the next or previous post or, if none in view has the focus, the first in view. */
function walkPosts(step: 1 | -1): void {
  const posts = [...document.querySelectorAll<HTMLElement>('article[aria-posinset]')];
  const top = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const current = document.activeElement?.closest<HTMLElement>('article[aria-posinset]');
  // A focused post that was scrolled out of view does not count.
  if (current && isInView(current, top)) posts[posts.indexOf(current) + step]?.focus();
  else firstInView(posts, top)?.focus();
}

/** The first post whose top is in view or else a post that fills the window. */
function firstInView(posts: readonly HTMLElement[], top: number): HTMLElement | undefined {
  const inView = posts.filter((post) => isInView(post, top));
  return inView.find((post) => post.getBoundingClientRect().top >= top) ?? inView[0];
}

function isInView(post: HTMLElement, top: number): boolean {
  const box = post.getBoundingClientRect();
  return box.bottom > top && box.top < innerHeight;
}

/** Renders the dialog in a React root of its own, so that the first load contains nothing of it. */
function showKeys(): void {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const close = () => {
    root.unmount();
    container.remove();
  };
  // Synchronously: a second key press must find the dialog open.
  flushSync(() => root.render(createElement(KeysDialog, { onClose: close })));
}
