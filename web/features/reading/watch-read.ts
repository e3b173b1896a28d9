import { onWindowMoved } from '../../lib/watch.ts';

interface Box {
  top: number;
  bottom: number;
}

interface Page {
  /** The height of the window. */
  height: number;
  /** The part of the window that the header covers. */
  covered: number;
  /** How far the page can be scrolled up and down, px. */
  above: number;
  below: number;
}

/**
 * Whether half of the card is in the middle of the window, or the card fills half of the middle. The middle is the window without
 * a part `edge` at its top and bottom. At the ends of the page it is the whole window, so that the first and last posts count.
 */
export function isInMiddle({ top, bottom }: Box, { height, covered, above, below }: Page, edge: number): boolean {
  const start = Math.max(covered, Math.min(height * edge, above));
  const end = height - Math.min(height * edge, below);
  const seen = Math.min(bottom, end) - Math.max(top, start);
  return seen > 0 && seen >= Math.min(bottom - top, end - start) / 2;
}

/** How long a post is in the middle of a visible screen until it counts as read. */
const readMs = 1_000;
/** The longest time between a change on the screen and the next look at it. */
const lookMs = 250;

interface WatchOptions {
  /** The cards in the document, with the ids of their posts. */
  cards: () => Array<readonly [id: string, card: Element]>;
  /** The part of the window at its top and at its bottom that is not its middle. */
  edge: number;
  /** Called with the posts in the middle that have been read. */
  onRead: (ids: string[]) => void;
  /** Called with the posts in the window each time the screen may have changed. */
  onLook?: (ids: string[]) => void;
}

/** Measures which posts are read. Looks at the screen only after something has changed on it. */
export function watchRead({ cards, edge, onRead, onLook }: WatchOptions) {
  /** The time at which each post in the middle came there. */
  const since = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Infinity;

  function lookIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(look, ms);
  }

  function look(): void {
    due = Infinity;
    if (document.hidden) return since.clear();
    const now = performance.now();
    const page = pageNow();
    const boxes = cards().map(([id, card]) => [id, card.getBoundingClientRect()] as const);
    const middle = boxes.filter(([, box]) => isInMiddle(box, page, edge)).map(([id]) => id);
    for (const id of since.keys()) if (!middle.includes(id)) since.delete(id);
    for (const id of middle) if (!since.has(id)) since.set(id, now);

    onLook?.(boxes.filter(([, { top, bottom }]) => bottom > page.covered && top < page.height).map(([id]) => id));
    const isRead = (id: string) => now - since.get(id)! >= readMs;
    const read = middle.filter(isRead);
    if (read.length > 0) onRead(read);
    const waits = middle.filter((id) => !isRead(id)).map((id) => since.get(id)! + readMs - now);
    if (waits.length > 0) lookIn(Math.min(...waits));
  }

  const lookSoon = () => lookIn(lookMs);
  const onVisibility = () => {
    // Otherwise the time in the background would count.
    if (document.hidden) since.clear();
    lookSoon();
  };
  const stopFollowing = onWindowMoved(lookSoon);
  document.addEventListener('visibilitychange', onVisibility);
  return {
    lookSoon,
    stop(): void {
      clearTimeout(timer);
      stopFollowing();
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
}

function pageNow() {
  const { scrollHeight } = document.documentElement;
  return {
    height: innerHeight,
    covered: Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart) || 0,
    above: scrollY,
    below: scrollHeight - innerHeight - scrollY,
  };
}
