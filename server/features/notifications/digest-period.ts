import type { NotificationSettings } from '#contract/notifications.ts';

const hour = 3_600;
const day = 24 * hour;
const week = 7 * day;

/** Letters are sent at 6:00 UTC, 9:00 in Moscow, and weekly ones on Mondays. */
const startOfDay = 6 * hour;
/** 1 January 1970 was a Thursday. */
const startOfWeek = 4 * day + startOfDay;

/** The start of the newest period, in unix seconds. A daily and a weekly period that begin together have the same start. */
export const periodStart = {
  daily: (now: number): number => now - ((now - startOfDay) % day),
  weekly: (now: number): number => now - ((now - startOfWeek) % week),
} satisfies Partial<Record<NotificationSettings['digest'], (now: number) => number>>;

/** A person who was here so recently gets no letter. */
export const recentSeconds = day;

/** A time further ahead than this was recorded by a clock that was ahead. */
export const aheadSeconds = hour;
