import { limits } from '#contract/limits.ts';
import { normalizePostText, postTextLength } from '#contract/text.ts';

/** The title, text and address that another app shares, a line each. Many apps repeat the title and the address in the text. */
export function sharedText(query: URLSearchParams): string {
  const given = ['title', 'text', 'url'].map((name) => (query.get(name) ?? '').replaceAll('\0', '').trim());
  return given.filter((part, i) => part && !given.some((other, j) => repeats(part, other, j < i))).join('\n');
}

const repeats = (part: string, other: string, isEarlier: boolean): boolean =>
  other.includes(part) && (other !== part || isEarlier);

export interface Mention {
  /** The index of the `@` in the text. */
  from: number;
  /** The index of the caret, where the mention ends. */
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

interface JudgedText {
  /** The text as the server will store it, null if it is not valid. */
  text: string | null;
  /** Why the text is not valid, null if that is obvious. */
  problem: string | null;
  /** The number of remaining characters, negative if there are too many. Null while many remain. */
  remaining: number | null;
}

/** Checks a text while it is typed. */
export function judgeText(typed: string): JudgedText {
  const remaining = limits.postLength - postTextLength(typed);
  const judged = normalizePostText(typed);
  return {
    text: judged.ok ? judged.text : null,
    problem: judged.ok || typed.trim() === '' ? null : judged.reason,
    remaining: remaining <= limits.counterFrom ? remaining : null,
  };
}
