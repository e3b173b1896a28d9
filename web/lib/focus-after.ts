import { isDialogEntry } from './dialog-entry.ts';

/** The selector of list items that can have the focus. They have ids. */
const itemOf = 'ul [tabindex="-1"]';

/**
 * Called before an act that may remove the element with the focus. Returns a function that focuses the element's list item, or the
 * next or previous item, or the heading of the section, if the focus is lost. It is called again when the act was taken back, and
 * then focuses the item that has returned.
 */
export function focusAfter(element: Element): () => void {
  const section = element.closest('section');
  const item = element.closest<HTMLElement>(itemOf);
  const items = item ? [...item.closest('ul')!.querySelectorAll<HTMLElement>(itemOf)] : [];
  const index = item ? items.indexOf(item) : 0;
  const others = [...items.slice(index + 1), ...items.slice(0, index).toReversed()];
  let wasGone = false;
  return () => {
    const shown = item && document.getElementById(item.id);
    const isBack = shown !== null && wasGone;
    wasGone = item !== null && shown === null;
    const focused = document.activeElement;
    if (!isBack && focused?.isConnected && focused !== document.body) return;
    const next = shown ?? others.find(({ isConnected }) => isConnected);
    if (next) return focusItem(next);
    const part = section?.isConnected ? section : document.querySelector('main');
    const heading = part?.querySelector<HTMLElement>('h1, h2');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus();
  };
}

function focusItem(item: HTMLElement): void {
  item.focus({ preventScroll: true });
  void showItem(item);
}

async function showItem(item: HTMLElement): Promise<void> {
  const frame = () => new Promise(requestAnimationFrame);
  // After leaving the history entry of a dialog, the browser restores the scroll position within two frames.
  while (isDialogEntry()) await frame();
  await frame();
  await frame();
  if (document.activeElement === item) item.scrollIntoView({ block: 'nearest' });
}
