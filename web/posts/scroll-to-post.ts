import { cardOf } from './focus-post.ts';

type ScrollWindowed = (id: string, top: number) => void;

/** What the list on screen does for posts that are not in the document. */
let scrollWindowed: ScrollWindowed | undefined;

export function onScrollToPost(scroll: ScrollWindowed): () => void {
  scrollWindowed = scroll;
  return () => {
    if (scrollWindowed === scroll) scrollWindowed = undefined;
  };
}

/** Scrolls until a post of the list on screen stands so far below the top of the window. */
export function scrollToPost(id: string, top: number): void {
  const card = cardOf(id);
  if (card) scrollBy(0, card.getBoundingClientRect().top - top);
  else scrollWindowed?.(id, top);
}
