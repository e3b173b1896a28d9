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
