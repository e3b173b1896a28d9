import { type Kysely, type Selectable, sql } from 'kysely';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { Tx } from '../../db/database.ts';
import type { Role } from '../../db/account-tables.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { type Budget, spend } from '../../limits/budgets.ts';
import { selectUnread } from './unread.ts';

const hour = 3_600;
const day = 24 * hour;
const week = 7 * day;

/** Letters are sent at 6:00 UTC (9:00 in Moscow), weekly letters on Mondays, monthly ones on the first day. */
const startOfDay = 6 * hour;
/** 1 January 1970 was a Thursday. */
const startOfWeek = 4 * day + startOfDay;

/** The start of the newest period, in unix seconds. A daily and a weekly period that begin together have the same start. */
const dayStart = (now: number): number => now - ((now - startOfDay) % day);
const weekStart = (now: number): number => now - ((now - startOfWeek) % week);
export function monthStart(now: number): number {
  const date = new Date((now - startOfDay) * 1_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1_000 + startOfDay;
}

const startOf = {
  daily: dayStart,
  weekly: weekStart,
  untold: dayStart,
  best: weekStart,
  wall: dayStart,
  file: monthStart,
};

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
  column: 'digest' | 'best_weekly' | 'replies_at_once' | 'wall_daily' | 'file_monthly';
  at: 'digest_at' | 'best_at' | 'wall_daily_at' | 'file_at';
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
  // What the letters about answers have not told of comes once a day, also to those who want no digest.
  untold: claiming({ column: 'replies_at_once', at: 'digest_at', value: 1 }),
  best: claiming({ column: 'best_weekly', at: 'best_at', value: 1 }),
  wall: claiming({ column: 'wall_daily', at: 'wall_daily_at', value: 1 }),
  file: claiming({ column: 'file_monthly', at: 'file_at', value: 1 }),
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
  const claimed = await claims[letter](db, { start: startOf[letter](now), tooFarAhead: now + aheadSeconds, limit });
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

/** People whose letters about answers were decided within this time have to wait, so that one letter tells of a whole conversation. */
const betweenAnswersSeconds = 120;
/** Letters about answers that a person gets in 24 hours. */
const answersBudget = (userId: number): Budget => ({
  key: `answer-letters ${userId}`,
  limits: [{ count: 30, seconds: day }],
});

export interface AnsweredPerson {
  id: number;
  email: string;
  /** The discussions with something new for the person. */
  rootIds: number[];
  /** Notifications with greater numbers are new. */
  after: number;
}

/** Claims people who want to know of answers at once and have new notifications. Undefined when none remain. */
export async function claimAnswered(
  tx: Tx,
  { now, limit }: { now: number; limit: number },
): Promise<AnsweredPerson[] | undefined> {
  const { db, engine } = tx;
  const people = await db
    .selectFrom('users')
    .select(['id', 'email', 'answers_no', 'notifications_made'])
    .where('replies_at_once', '=', sql.lit(1))
    .whereRef('notifications_made', '>', 'answers_no')
    .where((eb) =>
      eb.or([eb('answers_at', '<=', now - betweenAnswersSeconds), eb('answers_at', '>', now + aheadSeconds)]),
    )
    .where(isNotDeleted('users'))
    .where(isNotBlocked('users'))
    .limit(limit)
    .$if(engine === 'postgres', (query) => query.forNoKeyUpdate().skipLocked())
    .execute();
  const answered: AnsweredPerson[] = [];
  for (const { id, email, answers_no: after, notifications_made: made } of people) {
    await db.updateTable('users').set({ answers_no: made, answers_at: now }).where('id', '=', id).execute();
    const discussions = await answersTo(db, id, after).select('n.root_post_id as id').distinct().execute();
    const rootIds: number[] = [];
    for (const discussion of discussions) {
      if (!(await spend(tx, [answersBudget(id)], now))) rootIds.push(discussion.id);
    }
    answered.push({ id, email, rootIds, after });
  }
  return people.length === 0 ? undefined : answered;
}

/** The unread notifications of a person that letters about answers tell of, and have not told of. */
export const answersTo = (db: Kysely<Schema>, userId: number, after: number) =>
  selectUnread(db, userId)
    .where('n.no', '>', after)
    .where('n.told', '=', sql.lit(0))
    .where('n.kind', 'in', ['answer', 'mention', 'followed']);

/** The newest unread notifications with numbers above `after` of which no letter has told. */
export const untold = prepared<
  { userId: number; after: number; limit: number },
  { id: number; kind: NotificationKind; no: number }
>((db, slot) =>
  selectUnread(db, slot('userId'))
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'n.kind', 'n.no'])
    .where('n.no', '>', slot('after'))
    .where('n.told', '=', sql.lit(0))
    .where(isNotDeleted('u'))
    .where(isNotBlocked('u'))
    .orderBy('n.no', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/** Whether there is an unread notification with a number above `after` of which no letter has told. */
export const hasNews = async (db: Kysely<Schema>, userId: number, after: number): Promise<boolean> =>
  (await untold(db, { userId, after, limit: 1 })).length > 0;

/** Records that a letter has told of these notifications, so that the digest does not. */
export async function recordTold({ db }: Tx, userId: number, numbers: readonly number[]): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ told: 1 })
    .where('user_id', '=', userId)
    .where('no', 'in', numbers)
    .execute();
}

/** Records that a digest has told of the notifications up to `no`. */
export async function recordDigest({ db }: Tx, userId: number, no: number): Promise<void> {
  await db.updateTable('users').set({ digest_no: no }).where('id', '=', userId).execute();
}

/** The letters that people may subscribe to, and the change that ends each. */
const endings = {
  digest: { digest: 'off' },
  answers: { replies_at_once: 0 },
  best: { best_weekly: 0 },
  wall: { wall_daily: 0 },
  file: { file_monthly: 0 },
} as const;

export type SubscribedLetter = keyof typeof endings;

export const subscribedLetters = Object.keys(endings) as SubscribedLetter[];

type Recipient = Pick<
  Selectable<Schema['users']>,
  'email' | 'notifications_made' | 'digest' | 'digest_no' | 'wall_daily_id' | 'role'
>;

/** The address for a letter; undefined if the person does not want it any more or may not use the account. */
export async function recipientOf(
  db: Kysely<Schema>,
  userId: number,
  letter: SubscribedLetter,
): Promise<Recipient | undefined> {
  return db
    .selectFrom('users')
    .select(['email', 'notifications_made', 'digest', 'digest_no', 'wall_daily_id', 'role'])
    .where('id', '=', userId)
    .where((eb) => {
      if (letter === 'best') return eb('best_weekly', '=', 1);
      if (letter === 'wall') return eb('wall_daily', '=', 1);
      if (letter === 'file') return eb('file_monthly', '=', 1);
      if (letter === 'answers') return eb('replies_at_once', '=', 1);
      return eb.or([eb('digest', '<>', 'off'), eb('replies_at_once', '=', 1)]);
    })
    .where(isNotDeleted('users'))
    .where(isNotBlocked('users'))
    .executeTakeFirst();
}

/** Records that the daily letter has told of the root posts up to `id`. */
export async function recordWallLetter({ db }: Tx, userId: number, id: number): Promise<void> {
  await db.updateTable('users').set({ wall_daily_id: id }).where('id', '=', userId).execute();
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
    .set(endings[letter])
    .where('id', '=', id)
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();
  return stopped !== undefined;
}

/** Whether a person may get the file of the whole wall by letter. Of a closed wall only owners may carry the posts of others. */
export const mayGetFile = (wall: { mailsFile: boolean; readers: string }, role: Role | null): boolean =>
  wall.mailsFile && (wall.readers === 'everyone' || role === 'owner');

/** Whether the letter of this month is not decided for everybody who wants the file. */
export async function isFileDue(db: Kysely<Schema>, now: number): Promise<boolean> {
  const due = db
    .selectFrom('users')
    .select('id')
    .where('file_monthly', '=', sql.lit(1))
    .where('file_at', '<', monthStart(now))
    .limit(1);
  return (await due.executeTakeFirst()) !== undefined;
}
