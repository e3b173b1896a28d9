import type { DayPart, Season } from './corpus.ts';
import type { Random } from './random.ts';

const hour = 3_600;
const allHours = 730 * 24;
/** UTC+3, in seconds. */
const moscowOffset = 3 * hour;

/** Relative number of posts in each hour of the day. */
const activity = [4, 2, 1, 1, 1, 2, 5, 9, 12, 12, 11, 11, 13, 13, 11, 10, 11, 12, 14, 16, 18, 18, 14, 8];

/**
 * Yields `count` ascending Unix times in the `spanHours` before `until`, by default two years. There are more of them by day and in
 * the evening, and towards the end.
 */
export function* moments(count: number, until: number, random: Random, spanHours = allHours): Generator<number> {
  const start = until - spanHours * hour;
  const weights = Array.from(
    { length: spanHours },
    (_, i) => activity[hourOfDay(start + i * hour)]! * (1 + i / spanHours),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);

  let cell = 0;
  let before = 0;
  for (let i = 0; i < count; i += 1) {
    const target = ((i + random.next()) / count) * total;
    while (before + weights[cell]! <= target && cell < spanHours - 1) {
      before += weights[cell]!;
      cell += 1;
    }
    yield Math.floor(start + (cell + Math.min(1, (target - before) / weights[cell]!)) * hour);
  }
}

/** The times of two ascending lists, in order. */
export function* inOrder(long: Iterable<number>, short: readonly number[]): Generator<number> {
  let taken = 0;
  for (const at of long) {
    while (short[taken]! <= at) yield short[taken++]!;
    yield at;
  }
  yield* short.slice(taken);
}

export function seasonAt(at: number): Season {
  const date = new Date((at + moscowOffset) * 1_000);
  const monthDay = (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
  if (monthDay < 310 || monthDay >= 1110) return 'winter';
  if (monthDay < 601) return 'spring';
  return monthDay < 901 ? 'summer' : 'autumn';
}

export function dayPartAt(at: number): DayPart {
  const now = hourOfDay(at);
  if (now < 5) return 'night';
  if (now < 11) return 'morning';
  return now < 18 ? 'day' : 'evening';
}

function hourOfDay(at: number): number {
  return Math.floor((at + moscowOffset) / hour) % 24;
}
