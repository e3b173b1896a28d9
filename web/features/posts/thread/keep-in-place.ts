import type { RefObject } from 'react';

/** Scrolls so that what the reader sees stays where it is when rows above it come and go. */
export function createAnchor(feed: RefObject<HTMLElement | null>) {
  /** The articles on the screen before a change, with their distances from the top of the window. */
  let held: Array<[Element, number]> | null = null;

  /** The list and what follows it. Padding at its end keeps the page long enough to scroll. */
  const thread = () => feed.current?.parentElement;
  const padding = (): number => Number.parseFloat(thread()?.style.paddingBlockEnd || '0');

  return {
    /** Called before a change. */
    hold(): void {
      if (held) return;
      const top = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
      const shown = [...document.querySelectorAll('main article')].map(
        (article) => [article, article.getBoundingClientRect()] as const,
      );
      held = shown
        .filter(([, box]) => box.bottom > top && box.top < innerHeight)
        .map(([article, box]) => [article, box.top]);
    },

    /** Called after the change. */
    release(): void {
      const still = held?.find(([article]) => article.isConnected);
      held = null;
      if (!still || !feed.current) return;
      const [article, before] = still;
      const moved = () => article.getBoundingClientRect().top - before;
      if (Math.abs(moved()) < 1) return;
      scrollBy({ top: moved(), behavior: 'instant' });
      // The page may have become too short to scroll there.
      const missing = moved();
      if (missing < 1) return;
      thread()!.style.paddingBlockEnd = `${missing + padding()}px`;
      scrollBy({ top: missing, behavior: 'instant' });
    },

    /** Removes the padding once it is below the window, where nothing moves by it. */
    unpad(): void {
      if (padding() === 0) return;
      const padded = thread()!;
      if (padded.getBoundingClientRect().bottom - padding() >= innerHeight) padded.style.paddingBlockEnd = '';
    },
  };
}
