import type { ProfileLine } from '#contract/profile-text.ts';
import type { Judgement } from './fields.tsx';

/** Makes the check of a field from the function that normalizes its line. */
export const judgeLine =
  (normalize: (raw: string) => ProfileLine) =>
  (raw: string): Judgement => {
    const line = normalize(raw);
    return line.ok ? { isGood: true } : { isGood: false, error: line.reason };
  };
