import { type Kysely, type Selectable, sql } from 'kysely';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { type shownColumns, shownColumnsOfU } from '../../names/shown-names.ts';
import { selectUnread } from './unread.ts';

const hour = 3_600;
const day = 24 * hour;
const week = 7 * day;

/** Letters are sent at 6:00 UTC (9:00 in Moscow), weekly letters on Mondays. */
const startOfDay = 6 * hour;
/** 1 January 1970 was a Thursday. */
const startOfWeek = 4 * day + startOfDay;

/** The start of the newest period, in unix seconds. A daily and a weekly period that begin together have the same start. */
const dayStart = (now: number): number => now - ((now - startOfDay) % day);
const weekStart = (now: number): number => now - ((now - startOfWeek) % week);

/** A person who has used the wall within this time gets no digest. The letter with the best posts is sent anyway. */
const recentSeconds = day;

/** A time further ahead than this was recorded by a clock that was ahead, and does not count. */
const aheadSeconds = hour;

interface Due {
  /** Start of the period. */
  start: number;
  /** A letter with a later start is due, because the start was recorded by a clock that was ahead. */
  tooFarAhead: number;
  limit: number;
}

export interface LetterSubscriber {
  id: number;
  email: string;
  /**
   * The number of the newest notification when the last digest was written. Notifications up to this number are no reason for a new
   * one. Unseen removals may be.
   */
  digest_no: number;
}

/** A subscription is on while `column` has `value`; `at` is the start of the last period for which a letter was decided. */
interface Subscription {
  column: 'digest' | 'best_weekly';
  at: 'digest_at' | 'best_at';
  value: string | number;
}

const claiming = ({ column, at, value }: Subscription) =>
  prepared<Due, LetterSubscriber & { may_use: number }>((db, slot) => {
    // SQLite uses the partial index only if the query contains its condition.
    const isOn = (users: 'users' | 'u') =>
      column === 'digest' ? sql`and ${sql.ref(`${users}.digest`)} <> 'off'` : sql``;
    const isDue = (users: 'users' | 'u') => sql<boolean>`
    ${sql.ref(`${users}.${column}`)} = ${sql.lit(value)} ${isOn(users)}
    and (${sql.ref(`${users}.${at}`)} < ${slot('start')} or ${sql.ref(`${users}.${at}`)} > ${slot('tooFarAhead')})`;
    return (
      db
        .updateTable('users')
        .set({ [at]: slot('start') })
        .where(
          'id',
          'in',
          db
            .selectFrom('users as u')
            .select('u.id')
            .where(isDue('u'))
            .limit(sql<number>`${slot('limit')} + 0`),
        )
        // Another process may have claimed some of these people since.
        .where(isDue('users'))
        .returning([
          'id',
          'email',
          'digest_no',
          sql<number>`case when ${isNotDeleted('users')} and ${isNotBlocked('users')} then 1 else 0 end`.as('may_use'),
        ])
    );
  });

const claims = {
  daily: claiming({ column: 'digest', at: 'digest_at', value: 'daily' }),
  weekly: claiming({ column: 'digest', at: 'digest_at', value: 'weekly' }),
  best: claiming({ column: 'best_weekly', at: 'best_at', value: 1 }),
};

/**
 * Claims people for whom this period's letter is not decided yet. Each person is claimed once per period, by one process.
 * Undefined when none remain.
 */
export async function claimSubscribers(
  { db }: Tx,
  letter: keyof typeof claims,
  { now, limit }: { now: number; limit: number },
): Promise<LetterSubscriber[] | undefined> {
  const start = letter === 'daily' ? dayStart(now) : weekStart(now);
  const claimed = await claims[letter](db, { start, tooFarAhead: now + aheadSeconds, limit });
  return claimed.length === 0 ? undefined : claimed.filter(({ may_use: mayUse }) => mayUse === 1);
}

const activity = prepared<{ userId: number; since: number; until: number }, { id: number }>((db, slot) =>
  db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', slot('userId'))
    .where('last_active_at', '>', slot('since'))
    .where('last_active_at', '<', slot('until'))
    .limit(sql<number>`1`),
);

/** Whether a person has used the wall within the last day. */
export async function wasHere({ db }: Tx, userId: number, now: number): Promise<boolean> {
  const [session] = await activity(db, { userId, since: now - recentSeconds, until: now + aheadSeconds });
  return session !== undefined;
}

type UnreadPost = Pick<Selectable<Schema['posts']>, 'id' | 'user_id' | 'text' | 'created_at'> &
  Pick<Selectable<Schema['users']>, (typeof shownColumns)[number]> & { kind: NotificationKind };

const newest = prepared<{ userId: number; after: number; limit: number }, UnreadPost>((db, slot) =>
  selectUnread(db, slot('userId'))
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.user_id', 'p.text', 'p.created_at', 'n.kind', ...shownColumnsOfU])
    .where('n.no', '>', slot('after'))
    .where(isNotDeleted('u'))
    .orderBy('n.no', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/** The newest posts of a person's unread notifications with numbers above `after`. */
export const unreadPosts = (
  db: Kysely<Schema>,
  listing: { userId: number; after: number; limit: number },
): Promise<UnreadPost[]> => newest(db, listing);

/** Records that a digest has told of the notifications up to `no`. */
export async function recordDigest({ db }: Tx, userId: number, no: number): Promise<void> {
  await db.updateTable('users').set({ digest_no: no }).where('id', '=', userId).execute();
}

/** The letters that people may subscribe to. */
export type SubscribedLetter = 'digest' | 'best';

/** The address for a letter; undefined if the person does not want it any more or may not use the account. */
export async function recipientOf(
  db: Kysely<Schema>,
  userId: number,
  letter: SubscribedLetter,
): Promise<{ email: string; notifications_made: number } | undefined> {
  return db
    .selectFrom('users')
    .select(['email', 'notifications_made'])
    .where('id', '=', userId)
    .where((eb) => (letter === 'best' ? eb('best_weekly', '=', 1) : eb('digest', '<>', 'off')))
    .where(isNotDeleted('users'))
    .where(isNotBlocked('users'))
    .executeTakeFirst();
}

export async function addressOf(db: Kysely<Schema>, userId: number): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return user?.email;
}

/** Ends a subscription; false when the person has another address by now. */
export async function stopLetter(
  { db }: Tx,
  letter: SubscribedLetter,
  { id, email }: Pick<LetterSubscriber, 'id' | 'email'>,
): Promise<boolean> {
  const stopped = await db
    .updateTable('users')
    .set(letter === 'best' ? { best_weekly: 0 } : { digest: 'off' })
    .where('id', '=', id)
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();
  return stopped !== undefined;
}
