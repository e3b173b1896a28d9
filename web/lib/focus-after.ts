import { isDialogEntry } from './dialog-entry.ts';

/** An item of a list that can have the focus. It has an id. */
const itemOf = 'ul [tabindex="-1"]';

/**
 * Before an act: returns what puts the focus where it belongs afterwards. If the element is gone and with it the focus, that
 * is its item in the list, else the next one or the one before, else the heading of its section. Called again when the act
 * was taken back, it goes to the item that has come back.
 */
export function focusAfter(element: Element): () => void {
  const section = element.closest('section');
  const item = element.closest<HTMLElement>(itemOf);
  const items = item ? [...item.closest('ul')!.querySelectorAll<HTMLElement>(itemOf)] : [];
  const place = item ? items.indexOf(item) : 0;
  const others = [...items.slice(place + 1), ...items.slice(0, place).toReversed()];
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
  // Leaving the history entry of a dialog, the browser restores the scroll position within two frames.
  while (isDialogEntry()) await frame();
  await frame();
  await frame();
  if (document.activeElement === item) item.scrollIntoView({ block: 'nearest' });
}
