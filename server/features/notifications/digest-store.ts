import { type Kysely, sql } from 'kysely';
import type { NotificationKind, NotificationSettings } from '#contract/notifications.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted, isNotBlocked, isNotDeleted } from '../../db/visibility.ts';

const hour = 3_600;
const day = 24 * hour;
const week = 7 * day;

/** Letters are sent at 6:00 UTC, 9:00 in Moscow, and weekly ones on Mondays. */
const startOfDay = 6 * hour;
/** 1 January 1970 was a Thursday. */
const startOfWeek = 4 * day + startOfDay;

/** The start of the newest period, in unix seconds. A daily and a weekly period that begin together have the same start. */
const periodStart = {
  daily: (now: number): number => now - ((now - startOfDay) % day),
  weekly: (now: number): number => now - ((now - startOfWeek) % week),
} satisfies Partial<Record<NotificationSettings['digest'], (now: number) => number>>;

/** A person who was here so recently gets no letter. */
const recentSeconds = day;

/** A time further ahead than this was recorded by a clock that was ahead. */
const aheadSeconds = hour;

interface Due {
  digest: keyof typeof periodStart;
  /** Start of the period. */
  start: number;
  /** Later starts were recorded by a clock that was ahead. */
  tooFarAhead: number;
  limit: number;
}

export interface Subscriber {
  id: number;
  email: string;
  notifications_made: number;
  /** Only a higher number is news: the others were read, or the last letter contained them. */
  news_after: number;
}

const claim = prepared<Due, Subscriber & { may_use: number }>((db, slot) => {
  const isDue = (users: 'users' | 'u') => sql<boolean>`
    ${sql.ref(`${users}.digest`)} = ${slot('digest')} and ${sql.ref(`${users}.digest`)} <> 'off'
    and (${sql.ref(`${users}.digest_at`)} < ${slot('start')} or ${sql.ref(`${users}.digest_at`)} > ${slot('tooFarAhead')})`;
  return (
    db
      .updateTable('users')
      .set({ digest_at: slot('start') })
      .where(
        'id',
        'in',
        db
          .selectFrom('users as u')
          .select('u.id')
          .where(isDue('u'))
          .limit(sql<number>`${slot('limit')} + 0`),
      )
      // Another process may have claimed some of them since.
      .where(isDue('users'))
      .returning([
        'id',
        'email',
        'notifications_made',
        sql<number>`case when digest_no > notifications_read then digest_no else notifications_read end`.as(
          'news_after',
        ),
        sql<number>`case when ${isNotDeleted('users')} and ${isNotBlocked('users')} then 1 else 0 end`.as('may_use'),
      ])
  );
});

/**
 * Claims people for whom it is not decided yet whether they get a letter in this period: each of them once per period,
 * whichever processes ask. Undefined when there are none left.
 */
export async function claimSubscribers(
  { db }: Tx,
  digest: keyof typeof periodStart,
  { now, limit }: { now: number; limit: number },
): Promise<Subscriber[] | undefined> {
  const due = { digest, start: periodStart[digest](now), tooFarAhead: now + aheadSeconds, limit };
  const claimed = await claim(db, due);
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

/** Whether a person was here within the last day. */
export async function wasHere({ db }: Tx, userId: number, now: number): Promise<boolean> {
  const [session] = await activity(db, { userId, since: now - recentSeconds, until: now + aheadSeconds });
  return session !== undefined;
}

interface UnreadPost {
  id: number;
  username: string;
  text: string;
  kind: NotificationKind;
}

/** Without those of authors whom the person has muted since. */
const newest = prepared<{ userId: number; after: number; limit: number }, UnreadPost>((db, slot) =>
  db
    .selectFrom('notifications as n')
    .innerJoin('posts as p', 'p.id', 'n.post_id')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'u.username', 'p.text', 'n.kind'])
    .where('n.user_id', '=', slot('userId'))
    .where('n.no', '>', slot('after'))
    .where(isNotDeleted('u'))
    .where(hasNotMuted(sql.ref('n.user_id'), sql.ref('n.author_id')))
    .orderBy('n.no', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/** The newest posts that a person was notified of after the notification with this number. */
export const unreadPosts = (
  db: Kysely<Schema>,
  listing: { userId: number; after: number; limit: number },
): Promise<UnreadPost[]> => newest(db, listing);

/** Remembers what a letter contains. */
export async function recordDigest({ db }: Tx, { id, notifications_made: made }: Subscriber): Promise<void> {
  await db.updateTable('users').set({ digest_no: made }).where('id', '=', id).execute();
}

/** The person a letter goes to, unless they do not want it any more or may not use the account. */
export async function recipientOf(
  db: Kysely<Schema>,
  userId: number,
): Promise<{ email: string; notifications_read: number } | undefined> {
  return db
    .selectFrom('users')
    .select(['email', 'notifications_read'])
    .where('id', '=', userId)
    .where('digest', '<>', 'off')
    .where(isNotDeleted('users'))
    .where(isNotBlocked('users'))
    .executeTakeFirst();
}

export async function addressOf(db: Kysely<Schema>, userId: number): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return user?.email;
}

/** False when the person has another address by now. */
export async function stopDigest({ db }: Tx, { id, email }: Pick<Subscriber, 'id' | 'email'>): Promise<boolean> {
  const stopped = await db
    .updateTable('users')
    .set({ digest: 'off' })
    .where('id', '=', id)
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();
  return stopped !== undefined;
}
