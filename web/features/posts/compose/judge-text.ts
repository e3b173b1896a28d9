import { limits } from '#contract/limits.ts';
import { normalizePostText, postTextLength } from '#contract/text.ts';

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
    left: left <= limits.postCounterFrom ? left : null,
  };
}
