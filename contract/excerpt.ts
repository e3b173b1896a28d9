import { limits } from './limits.ts';

/** The beginning of a text on one line, cut between words where possible. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= length ? line : cutBetweenWords(line, length);
}

function cutBetweenWords(text: string, length: number): string {
  const space = text.lastIndexOf(' ', length);
  const cut = text.slice(0, space > length / 2 ? space : length);
  const halfOfAPair = /[\uD800-\uDBFF]$/;
  return `${cut.replace(halfOfAPair, '')}…`;
}

/** About twelve lines. */
const foldedLines = 12;
const foldedLength = 700;

/** The beginning of a text that is longer than people can write here; null for one that lists show whole. */
export function folded(text: string): string | null {
  if (text.length <= limits.postLength || [...text].length <= limits.postLength) return null;
  const lines = text.split('\n', foldedLines).join('\n');
  if (lines.length > foldedLength) return cutBetweenWords(lines, foldedLength);
  return lines === text ? null : `${lines}…`;
}
