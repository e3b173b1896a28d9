interface TextBlock {
  quoted: boolean;
  text: string;
  /** Its offset in the whole text. */
  at: number;
}

/** Splits a text into quotations, which are lines that begin with `>`, and the rest. The joined blocks equal the text. */
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
