import { limits } from './limits.ts';

interface TextBlock {
  quoted: boolean;
  text: string;
  /** The offset of the block in the whole text. */
  at: number;
}

/** Splits a text into quotations (lines that begin with `>`) and other blocks. The joined blocks equal the text. */
export function splitQuotations(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (const { 0: line, index } of text.matchAll(/[^\n]*\n|[^\n]+/g)) {
    const quoted = line.startsWith('>');
    const last = blocks.at(-1);
    if (last?.quoted === quoted) last.text += line;
    else blocks.push({ quoted, text: line, at: index });
  }
  return blocks;
}

/** The sign at the beginning of a quoted line, with its space. */
const sign = /(?<![^\n])> ?/g;

export const withoutSigns = (quotation: string): string => quotation.replaceAll(sign, '').trim();

/** The lines of a quotation, with their signs apart. */
export function quotedLines({ text, at }: TextBlock): Array<{ sign: string; text: string; at: number }> {
  return [...text.matchAll(/(> ?)([^\n]*\n?)/g)].map(({ 1: mark = '', 2: line = '', index }) => ({
    sign: mark,
    text: line,
    at: at + index + mark.length,
  }));
}

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

const shownLines = 12;
/** About as long as twelve lines. */
const shownLength = 700;

/** The beginning of an imported text that is longer than people can write here; null for a text that lists show whole. */
export function shortened(text: string): string | null {
  if (text.length <= limits.postLength || [...text].length <= limits.postLength) return null;
  const lines = text.split('\n', shownLines).join('\n');
  if (lines.length > shownLength) return cutBetweenWords(lines, shownLength);
  return lines === text ? null : `${lines}…`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for an element or a double-quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!);
