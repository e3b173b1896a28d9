import type { ProfileLine } from '#contract/profile-text.ts';
import type { Judgement } from './fields.tsx';

/** The check of a line that is stored as `normalize` makes it. */
export const judgeLine =
  (normalize: (raw: string) => ProfileLine) =>
  (raw: string): Judgement => {
    const line = normalize(raw);
    return line.ok ? { isGood: true } : { isGood: false, error: line.reason };
  };
