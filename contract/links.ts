interface TextPart {
  text: string;
  href?: string;
}

/** A link ends at white space, an angle bracket or a quotation mark. */
const candidates = /https?:\/\/[^\s<>"«»„“”]+/gi;
const wordEnd = /[\p{L}\p{N}_]$/u;
/** Matched after parsing, which converts international names to ASCII. */
const hostName = /^[\w-]+(\.[\w-]+)+$/;
const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
const sentenceMarks = new Set(".,:;!?…’*~'");

/** Splits a text into plain parts and http(s) links, in linear time. The joined parts equal the text. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let plainFrom = 0;
  for (const { 0: candidate, index } of text.matchAll(candidates)) {
    if (wordEnd.test(text.slice(Math.max(0, index - 2), index))) continue;
    const link = withoutTail(candidate);
    const href = linkTarget(link);
    if (href === undefined) continue;
    if (index > plainFrom) parts.push({ text: text.slice(plainFrom, index) });
    parts.push({ text: link, href });
    plainFrom = index + link.length;
  }
  if (plainFrom < text.length) parts.push({ text: text.slice(plainFrom) });
  return parts;
}

/** Removes trailing punctuation and closing brackets without an opening bracket in the link. */
function withoutTail(candidate: string): string {
  const seen = new Map<string, number>();
  for (const char of candidate) seen.set(char, (seen.get(char) ?? 0) + 1);
  let end = candidate.length;
  while (end > 0) {
    const last = candidate.charAt(end - 1);
    const opening = closing[last];
    const unbalanced = opening !== undefined && (seen.get(last) ?? 0) > (seen.get(opening) ?? 0);
    if (!unbalanced && !sentenceMarks.has(last)) break;
    seen.set(last, (seen.get(last) ?? 0) - 1);
    end -= 1;
  }
  return candidate.slice(0, end);
}

/** Rejects invalid addresses and those with a user part: `https://bank.ru@evil.ru` opens evil.ru. */
function linkTarget(link: string): string | undefined {
  const url = URL.parse(link);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  return hostName.test(url.hostname) ? url.href : undefined;
}
