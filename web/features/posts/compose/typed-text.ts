import { limits } from '#contract/limits.ts';
import { normalizePostText, postTextLength } from '#contract/text.ts';

/** Title, text and address that another app shares, on a line each. Many apps put the address into the text and repeat the title there. */
export function sharedText(query: URLSearchParams): string {
  const given = ['title', 'text', 'url'].map((name) => (query.get(name) ?? '').replaceAll('\0', '').trim());
  return given.filter((part, i) => part && !given.some((other, j) => repeats(part, other, j < i))).join('\n');
}

const repeats = (part: string, other: string, isEarlier: boolean): boolean =>
  other.includes(part) && (other !== part || isEarlier);

export interface Mention {
  /** Where its `@` is in the text. */
  from: number;
  /** Where it ends: at the caret. */
  to: number;
  /** The text after the `@`. */
  typed: string;
}

// contract/links.ts says which characters may stand around a mention.
const begun = /(?<![\p{L}\p{M}\p{N}_#@&/\\.?=%+~$-])@([\p{L}\p{M}\p{N}_]{0,32})$/u;
const goesOn = /^[\p{L}\p{M}\p{N}_@]/u;

/** The mention that is being typed at the caret. */
export function mentionAt(text: string, caret: number): Mention | null {
  const typed = begun.exec(text.slice(0, caret))?.[1];
  if (typed === undefined || goesOn.test(text.slice(caret))) return null;
  return { from: caret - typed.length - 1, to: caret, typed };
}

/** The text with a name in place of what was typed, and the caret after it. */
export function withMention(text: string, { from, to }: Mention, username: string): { text: string; caret: number } {
  const before = `${text.slice(0, from)}@${username} `;
  return { text: before + text.slice(to).replace(/^ /, ''), caret: before.length };
}

interface Judgement {
  /** The text as the server will store it, null if it is not valid. */
  text: string | null;
  /** Why the text is not valid, null if that is obvious. */
  problem: string | null;
  /** How many characters are left, negative if there are too many. Null while many are left. */
  left: number | null;
}

/** Checks a text while it is typed. */
export function judgeText(typed: string): Judgement {
  const left = limits.postLength - postTextLength(typed);
  const judged = normalizePostText(typed);
  return {
    text: judged.ok ? judged.text : null,
    problem: judged.ok || typed.trim() === '' ? null : judged.reason,
    left: left <= limits.counterFrom ? left : null,
  };
}
