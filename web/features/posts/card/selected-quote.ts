import { idOf } from './id-of.ts';

/** The longest quotation in characters. Most of the 500 characters of a post remain for the reply. */
const longest = 200;

/** The lines of a reply that quote a selected text. A long text is cut after a word. */
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
  // A triple click selects up to the beginning of the next element.
  if (!text.contains(range.endContainer)) range.setEnd(text, text.childNodes.length);
  const quote = quoteLines(range.toString());
  return quote === '' ? null : { postId, card, range, quote };
}
