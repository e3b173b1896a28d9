/** The beginning of a text on one line, cut between words where possible. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.length <= length) return line;
  const space = line.lastIndexOf(' ', length);
  const cut = line.slice(0, space > length / 2 ? space : length);
  const halfOfAPair = /[\uD800-\uDBFF]$/;
  return `${cut.replace(halfOfAPair, '')}…`;
}
