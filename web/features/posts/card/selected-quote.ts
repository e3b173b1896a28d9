import { idOf } from './id-of.ts';

/** About how much of a post a reply quotes: most of its 500 characters remain for the reply. */
const longest = 200;

/** The lines of a reply that quote a selected text. A long one is cut after a word. */
export function quoteLines(selected: string): string {
  const lines = selected.trim();
  const short = [...lines].slice(0, longest).join('');
  const text = short.length < lines.length ? `${short.replace(/\s+\S*$/, '')}…` : lines;
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `> ${line.trim()}`)
    .join('\n');
}

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
  const text = range.startContainer.parentElement?.closest('article > div > [dir=auto]');
  const card = text?.parentElement;
  const postId = card && idOf(card);
  if (!postId || !card.contains(range.endContainer)) return null;
  // A triple click selects to the beginning of what follows.
  if (!text.contains(range.endContainer)) range.setEnd(text, text.childNodes.length);
  const quote = quoteLines(range.toString());
  return quote === '' ? null : { postId, card, range, quote };
}
