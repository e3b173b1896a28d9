import type { RefObject } from 'react';

/** Scrolls so that what the reader sees stays where it is when rows above it come and go. */
export function createAnchor(feed: RefObject<HTMLElement | null>) {
  /** The articles on the screen before a change, with their distances from the top of the window. */
  let held: Array<[Element, number]> | null = null;
  /**
   * How far the page is from its place after the last change, less than a pixel. Browsers scroll by whole pixels, so without this the
   * fractions of many rows would add up.
   */
  let rest = 0;

  let column: HTMLElement | null | undefined;
  /** The list and what follows it. Padding at its end keeps the page long enough to scroll. It may outlive the list. */
  const block = () => (column = feed.current?.parentElement ?? column);
  const isPadded = (): boolean => !!block()?.style.paddingBlockEnd;
  /** The padding of the styles is a part of it. */
  const padding = (): number => Number.parseFloat(getComputedStyle(block()!).paddingBlockEnd);
  const pad = (size: string): void => void (block()!.style.paddingBlockEnd = size);

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
      const earlier = rest;
      const moved = () => article.getBoundingClientRect().top - before + earlier;
      if (Math.abs(moved()) >= 1) scrollBy({ top: moved(), behavior: 'instant' });
      // The page may have become too short to scroll there. The first padding may only fill the page up to its least height.
      for (let tries = 2; tries > 0 && moved() >= 1; tries -= 1) {
        const missing = moved();
        pad(`${missing + padding()}px`);
        scrollBy({ top: missing, behavior: 'instant' });
      }
      // At its top and its end the page cannot scroll further.
      rest = Math.abs(moved()) < 1 ? moved() : 0;
    },

    /** Removes the padding once it is below the window, where nothing moves by it. */
    unpad(): void {
      if (isPadded() && block()!.getBoundingClientRect().bottom - padding() >= innerHeight) pad('');
    },

    /** Called when the list leaves the page. */
    stop(): void {
      held = null;
      if (isPadded()) pad('');
    },
  };
}
