/** About how much of a post a reply quotes: most of its 500 characters remain for the reply. */
const longest = 200;

/** The lines of a reply that quote a selected text. A long one is cut after a word. */
export function quoteLines(selected: string): string {
  const lines = selected.replaceAll('\u00a0', ' ').trim();
  const short = [...lines].slice(0, longest).join('');
  const text = short.length < lines.length ? `${short.replace(/\s+\S*$/, '')}…` : lines;
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `> ${line.trim()}`)
    .join('\n');
}

/** A text with a quotation below what was written before, and a line for the reply. */
export function withQuote(text: string, quote: string): string {
  const written = text.trimEnd();
  if (written.endsWith(quote)) return text;
  return `${written === '' ? '' : `${written}\n\n`}${quote}\n`;
}
