import type { DayPart, Season } from './corpus/topic.ts';
import type { Random } from './random.ts';

const hour = 3_600;
const span = 730 * 24;
/** The wall lives by Moscow time. */
const offset = 3 * hour;

/** How lively each hour of the day is. */
const liveliness = [4, 2, 1, 1, 1, 2, 5, 9, 12, 12, 11, 11, 13, 13, 11, 10, 11, 12, 14, 16, 18, 18, 14, 8];

/** Ascending unix seconds for so many posts: two years up to `until`, livelier by day and by evening and year by year. */
export function* moments(count: number, until: number, random: Random): Generator<number> {
  const start = until - span * hour;
  const weights = Array.from({ length: span }, (_, i) => liveliness[hourOfDay(start + i * hour)]! * (1 + i / span));
  const total = weights.reduce((sum, weight) => sum + weight, 0);

  let cell = 0;
  let before = 0;
  for (let i = 0; i < count; i += 1) {
    const target = ((i + random.next()) / count) * total;
    while (before + weights[cell]! <= target && cell < span - 1) {
      before += weights[cell]!;
      cell += 1;
    }
    yield Math.floor(start + (cell + Math.min(1, (target - before) / weights[cell]!)) * hour);
  }
}

export function seasonAt(at: number): Season {
  const date = new Date((at + offset) * 1_000);
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
  return Math.floor((at + offset) / hour) % 24;
}
