import { count } from '../../bench/format.ts';
import type { Answered } from '../../test/ask.ts';

/** `1,203 × 201, 17 × 503` */
export function tally(answers: ReadonlyMap<Answered, number>): string {
  return [...answers].map(([answered, times]) => `${count(times)} × ${answered}`).join(', ');
}

/** Whether there were answers, and none but these. */
export function onlyThese(answers: ReadonlyMap<Answered, number>, allowed: readonly Answered[]): boolean {
  return answers.size > 0 && [...answers.keys()].every((answered) => allowed.includes(answered));
}
