import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { Schema } from '../../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../../db/visibility.ts';
import { lockSetting, putSetting, readSetting } from '../../../db/wall-setting-rows.ts';
import { shownColumnsOfU, type ShownNames } from '../../../names/shown-names.ts';
import type { Secrets } from '../../../secrets.ts';
import { idleSeconds, lifetimeSeconds } from '../../sessions/session-rules.ts';
import { type Engine, peopleRows } from '../notified-people.ts';
import { isUnread } from '../unread.ts';
import { newWallKey, type WallKey } from './push-message.ts';
import { followedIn } from '../../words/word-store.ts';

const keySetting = 'push_key';

function opened(secrets: Secrets, value: string | undefined): WallKey | undefined {
  const sealed = value === undefined ? null : (JSON.parse(value) as string | null);
  try {
    return sealed === null ? undefined : (JSON.parse(secrets.unseal(sealed)) as WallKey);
  } catch {
    return undefined;
  }
}

/**
 * The keys of the wall, made at the first start and stored encrypted with SECRET. When they cannot be decrypted, because SECRET
 * was changed without SECRET_PREVIOUS, new keys are made, and all subscriptions are deleted because they are bound to the old
 * keys. `isRenewed`: SECRET is being changed, so the keys are encrypted again.
 */
export async function openWallKey(db: Database, secrets: Secrets, isRenewed: boolean): Promise<WallKey> {
  const stored = opened(secrets, await readSetting(db.read, keySetting));
  if (stored && !isRenewed) return stored;
  return db.tx(async (tx) => {
    const known = opened(secrets, await lockSetting(tx, keySetting));
    const key = known ?? newWallKey();
    if (!known) await tx.db.deleteFrom('push_subscriptions').execute();
    await putSetting(tx, keySetting, JSON.stringify(secrets.seal(JSON.stringify(key))));
    return key;
  });
}

export type Subscription = Schema['push_subscriptions'];

/** Stores the subscription of a session in place of an earlier one, and of another session of the same browser (`endpoint`). */
export async function putSubscription({ db }: Tx, subscription: Subscription): Promise<void> {
  const { session_id: id, endpoint } = subscription;
  await db.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).where('session_id', '<>', id).execute();
  await db
    .insertInto('push_subscriptions')
    .values(subscription)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(subscription))
    .execute();
}

export const findSubscription = (db: Kysely<Schema>, sessionId: number): Promise<Subscription | undefined> =>
  db.selectFrom('push_subscriptions').selectAll().where('session_id', '=', sessionId).executeTakeFirst();

/** Deletes the subscription of a session. With `endpoint`, only if it still has this endpoint. */
export async function removeSubscription({ db }: Tx, sessionId: number, endpoint?: string): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('session_id', '=', sessionId)
    .$if(endpoint !== undefined, (query) => query.where('endpoint', '=', endpoint!))
    .execute();
}

/** Delay before a message is sent. A post that the person sees on the screen is marked as read in this time and is not sent. */
const readingSeconds = 5;

interface QueuedPush {
  people: string;
  rootId: number;
  postId: number;
}

/** A newer post replaces an unsent post of the same discussion. PostgreSQL locks the rows in the order of ids. */
const queueFor = (engine: Engine) =>
  prepared<QueuedPush, never>((db, slot) =>
    db
      .insertInto('pushes')
      .columns(['session_id', 'root_post_id', 'post_id', 'due_at'])
      .expression(
        db
          .selectFrom('push_subscriptions as s')
          .innerJoin(peopleRows[engine](slot('people')).as('to'), 'to.id', 's.user_id')
          .innerJoin('posts as p', (join) => join.on('p.id', '=', slot('postId')))
          .select((eb) => [
            's.session_id',
            sql<number>`cast(${slot('rootId')} as bigint)`.as('root_post_id'),
            'p.id as post_id',
            eb('p.created_at', '+', sql<number>`${sql.lit(readingSeconds)}`).as('due_at'),
          ])
          .where(sql<boolean>`true`)
          .orderBy('s.session_id'),
      )
      .onConflict((conflict) =>
        conflict.columns(['session_id', 'root_post_id']).doUpdateSet({ post_id: sql`excluded.post_id` }),
      ),
  );

const queue = { sqlite: queueFor('sqlite'), postgres: queueFor('postgres') };

/** Queues messages to the browsers of these people, in the transaction that notifies them. Its result is not awaited. */
export const queuePushes = (tx: Tx, push: QueuedPush): void => tx.send(queue[tx.engine](tx.db, push));

export type Push = Pick<Schema['pushes'], 'session_id' | 'root_post_id'> & { post_id: number; tries: number };

/** The pause between two messages about one discussion. */
const pauseSeconds = 120;
/** Longer than a request may take. When it is over, another process sends the message. */
const leaseSeconds = 30;
/** A later time was set by a clock that was ahead, so the message is due now. */
const dueWithinSeconds = 2 * 3_600;

const isOne =
  (rows: ReadonlyArray<Pick<Push, 'session_id' | 'root_post_id'>>) => (eb: ExpressionBuilder<Schema, 'pushes'>) =>
    eb.or(rows.map((row) => eb.and({ 'pushes.session_id': row.session_id, 'pushes.root_post_id': row.root_post_id })));

const isDue = (now: number) => (eb: ExpressionBuilder<Schema, 'pushes'>) =>
  eb.or([eb('due_at', '<=', now), eb('due_at', '>', now + dueWithinSeconds)]);

export type Due = Pick<Push, 'session_id' | 'root_post_id'> & Pick<Subscription, 'user_id' | 'endpoint'>;

/** Due messages, the oldest first, without those to the people and hosts in `except`. */
export const listDue = (
  db: Kysely<Schema>,
  now: number,
  except: { people: readonly number[]; hosts: readonly string[] },
  atMost: number,
): Promise<Due[]> =>
  db
    .selectFrom('pushes')
    .innerJoin('push_subscriptions as s', 's.session_id', 'pushes.session_id')
    .select(['pushes.session_id', 'pushes.root_post_id', 's.user_id', 's.endpoint'])
    .where(isDue(now))
    .$if(except.people.length > 0, (query) => query.where('s.user_id', 'not in', except.people))
    .where((eb) => eb.and(except.hosts.map((host) => eb('s.endpoint', 'not like', `https://${host}/%`))))
    .orderBy('due_at')
    .limit(atMost)
    .execute();

/** Takes due messages for this process and counts their tries. A due row without a post is a pause that is over, and is deleted. */
export async function takeDue(db: Database, now: number, due: readonly Due[]): Promise<Push[]> {
  if (due.length === 0) return [];
  return db.tx(async (tx) => {
    await tx.db.deleteFrom('pushes').where(isOne(due)).where(isDue(now)).where('post_id', 'is', null).execute();
    const taken = await tx.db
      .updateTable('pushes')
      .set((eb) => ({ due_at: now + leaseSeconds, tries: eb('tries', '+', 1) }))
      .where(isOne(due))
      .where(isDue(now))
      .returning(['session_id', 'root_post_id', 'post_id', 'tries'])
      .execute();
    return taken as Push[];
  });
}

export type PushContent = Pick<Subscription, 'session_id' | 'endpoint' | 'p256dh' | 'auth' | 'hides_text'> & {
  root_post_id: number;
  post_id: number;
  kind: NotificationKind;
  text: string;
  is_namesake: number;
  /** The followed word of the kind `word`. */
  word: string | null;
} & Pick<ShownNames, 'username' | 'display_name' | 'face'>;

/** The contents of messages, without posts that were read or deleted meanwhile and people who may not use their accounts. */
export async function contentsOf(db: Kysely<Schema>, pushes: readonly Push[], now: number): Promise<PushContent[]> {
  const found = await db
    .selectFrom('pushes')
    .innerJoin('push_subscriptions as s', 's.session_id', 'pushes.session_id')
    .innerJoin('sessions as d', 'd.id', 's.session_id')
    .innerJoin('users', 'users.id', 's.user_id')
    .innerJoin('notifications as n', (join) =>
      join.onRef('n.user_id', '=', 's.user_id').onRef('n.post_id', '=', 'pushes.post_id'),
    )
    .innerJoin('posts as p', 'p.id', 'n.post_id')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['s.session_id', 's.endpoint', 's.p256dh', 's.auth', 's.hides_text', 'pushes.root_post_id'])
    .select(['n.user_id', 'n.post_id', 'n.kind', 'p.text', ...shownColumnsOfU])
    .where(isOne(pushes))
    .where('d.last_active_at', '>', now - idleSeconds)
    .where('d.created_at', '>', now - lifetimeSeconds)
    .where(isNotDeleted('users'))
    .where(isNotBlocked('users'))
    .where(isNotDeleted('u'))
    .where(isUnread('n'))
    .execute();
  return Promise.all(
    found.map(async ({ user_id: userId, ...content }) => {
      const [word = null] = content.kind === 'word' ? await followedIn(db, userId, [content.text]) : [];
      return { ...content, word };
    }),
  );
}

/** Ends a try, unless another process has taken the message since. `sent`: the post that must not be sent again. */
async function end({ db }: Tx, { session_id, root_post_id, tries }: Push, at: number, sent?: number): Promise<void> {
  await db
    .updateTable('pushes')
    .set({
      due_at: at,
      ...(sent !== undefined && {
        post_id: sql<number | null>`case when post_id = ${sent} then null else post_id end`,
        tries: 0,
      }),
    })
    .where((eb) => eb.and({ session_id, root_post_id, tries }))
    .execute();
}

/** The row remains as a pause: a newer post of the discussion is sent when the pause is over. */
export const endSent = (tx: Tx, push: Push, sent: number, now: number): Promise<void> =>
  end(tx, push, now + pauseSeconds, sent);

export const endDelayed = (tx: Tx, push: Push, at: number): Promise<void> => end(tx, push, at);

/** Gives up the post without a pause: a newer post of the discussion is sent at once. */
export const endDropped = (tx: Tx, push: Push): Promise<void> => end(tx, push, 0, push.post_id);
