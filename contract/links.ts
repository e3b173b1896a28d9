interface TextPart {
  text: string;
  href?: string;
}

/** What a link may run through: up to white space, angle brackets or quotes that enclose it. */
const candidates = /https?:\/\/[^\s<>"«»„“”]+/gi;
const wordEnd = /[\p{L}\p{N}_]$/u;
/** After parsing, so international names are ASCII by now. */
const hostName = /^[\w-]+(\.[\w-]+)+$/;
const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
const sentenceMarks = new Set(".,:;!?…’*~'");

/** Cuts a text into plain parts and http(s) links. Joined again the parts give the text. Linear in its length. */
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

/** The sentence's own punctuation is left out, and closing brackets that the link itself did not open. */
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

/** Refuses what is no address, and addresses with a user part: `https://bank.ru@evil.ru` leads elsewhere than it reads. */
function linkTarget(link: string): string | undefined {
  const url = URL.parse(link);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  return hostName.test(url.hostname) ? url.href : undefined;
}
