import { addresses } from './addresses.ts';
import { isUsername } from './username.ts';

interface TextPart {
  text: string;
  /** The part's offset in the text. */
  at: number;
  /** An address on another site or, for a hashtag or a mention, a path of this site. */
  href?: string;
  /** The address with the ASCII host. It is shown instead of the text when the host looks like another one. */
  shown?: string;
}

/**
 * Candidates for links. A URL ends at white space, an angle bracket or a quotation mark. A hashtag or a mention is a whole word that
 * is not part of an e-mail address, of a URL without a scheme or of a longer tag. A hashtag with its sign is not longer than a
 * search query may be.
 */
const candidates =
  /https?:\/\/[^\s<>"«»„“”]+|(?<![#@&/\\.?=%+~$-])[#@][\p{L}\p{M}\p{N}_]{1,199}(?![\p{L}\p{M}\p{N}_@]|\.[a-z\d])/giu;
const wordEnd = /[\p{L}\p{M}\p{N}_]$/u;
const letter = /\p{L}/u;
/** A parsed host name, in which international names are converted to ASCII. */
const hostName = /^[\w-]+(\.[\w-]+)+$/;
/** Labels of a host that cannot be mistaken: only Latin letters of European languages, or only Cyrillic letters. */
const latinLabel = /^(?!.*[÷ıĸŀ])[a-zß-ž\d_-]+$/;
const cyrillicLabel = /^(?:[\d_-]|(?=\p{L})\p{Script=Cyrillic})+$/u;
/** A label that has only Cyrillic letters which look like Latin ones. In `сосоа.com` it is read as Latin. */
const latinLookAlikes = /^[асԁеһіјӏорԛѕԝхуъҽпгѵѡ\d_-]+$/;
const latinTop = /\.[a-z]+$/;
const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
const sentenceMarks = new Set(".,:;!?…’*~'");

/** Splits a text into plain parts, http(s) links, hashtags and mentions, in linear time. The joined parts equal the text. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let plainFrom = 0;
  for (const { 0: candidate, index } of text.matchAll(candidates)) {
    if (wordEnd.test(text.slice(Math.max(0, index - 2), index))) continue;
    const link = withoutTail(candidate);
    const href = linkTarget(link);
    if (href === undefined) continue;
    if (index > plainFrom) parts.push({ text: text.slice(plainFrom, index), at: plainFrom });
    parts.push({ text: link, at: index, href, ...(misleads(link) && { shown: href }) });
    plainFrom = index + link.length;
  }
  if (plainFrom < text.length) parts.push({ text: text.slice(plainFrom), at: plainFrom });
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

/**
 * The target of a link: the search for `#слово`, the author's page for `@имя`, or the URL itself. The author may not exist, which
 * the page then says. Undefined for an invalid tag, name or URL, and for a URL with a user part, because
 * `https://bank.ru@evil.ru` opens evil.ru.
 */
function linkTarget(link: string): string | undefined {
  const name = link.slice(1);
  if (link[0] === '#') return letter.test(name) ? addresses.search.href({}, { q: link }) : undefined;
  if (link[0] === '@') return isUsername(name) ? addresses.user.href({ username: name }) : undefined;
  const url = URL.parse(link);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  return hostName.test(url.hostname) ? url.href : undefined;
}

/** Whether a reader may mistake the host of a URL: it has a character that resembles a slash or a dot, or mixes scripts. */
function misleads(link: string): boolean {
  const [, host = '', end] = /^https?:\/\/([^/\\?#:]*)(.?)/isu.exec(link.toLowerCase()) ?? [];
  if (end === undefined) return false;
  const asLatin = latinTop.test(host);
  const isPlain = (label: string): boolean =>
    latinLabel.test(label) || (cyrillicLabel.test(label) && !(asLatin && latinLookAlikes.test(label)));
  return end === '\\' || !host.split('.').every(isPlain);
}
