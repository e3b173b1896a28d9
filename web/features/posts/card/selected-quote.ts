import { idOf } from './id-of.ts';
import { quoteLines } from './quote-lines.ts';

interface Selected {
  postId: string;
  card: HTMLElement;
  range: Range;
  quote: string;
}

/** The selected part of the text of one post. */
export function selectedQuote(): Selected | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const text = range.startContainer.parentElement?.closest('article > [dir=auto]');
  const card = text?.parentElement;
  const postId = card && idOf(card);
  if (!postId || !card.contains(range.endContainer)) return null;
  // A triple click selects to the beginning of what follows.
  if (!text.contains(range.endContainer)) range.setEnd(text, text.childNodes.length);
  const quote = quoteLines(range.toString());
  return quote === '' ? null : { postId, card, range, quote };
}
