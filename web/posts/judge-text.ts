import { limits } from '#contract/limits.ts';
import { normalizePostText, postTextLength } from '#contract/text.ts';

interface Judgement {
  /** As it will be kept; null while it cannot be. */
  text: string | null;
  /** Why not, where the reason is not plain to see. */
  problem: string | null;
  /** How many characters are left once there are few, negative where there are too many. */
  left: number | null;
}

/** What there is to say of a text while it is being typed. */
export function judgeText(typed: string): Judgement {
  const left = limits.postLength - postTextLength(typed);
  const judged = normalizePostText(typed);
  return {
    text: judged.ok ? judged.text : null,
    problem: judged.ok || typed.trim() === '' ? null : judged.reason,
    left: left <= limits.postCounterFrom ? left : null,
  };
}
