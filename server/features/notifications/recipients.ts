import { type Kysely, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted, isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { mentionsOf } from '../../names/mentioned.ts';
import { followByReplying, followersOfAuthor, followersToNotify } from './follows.ts';
import { queuePushes } from './push/push-store.ts';
import { countNotifications, type Engine, peopleRows, type NotifiedPost, toParameter } from './notified-people.ts';

/**
 * On PostgreSQL people are locked in the order of their ids, so that two transactions that notify the same people do not deadlock.
 * Without the offset, PostgreSQL would apply the conditions of `insertFor` before it locks, and leave the author unlocked.
 */
const lockedPeople = (db: Kysely<Schema>, engine: Engine, people: string) =>
  db
    .selectFrom(peopleRows[engine](people).as('p'))
    .innerJoin('users as u', 'u.id', 'p.id')
    .select(['u.id', 'u.notifications_made', 'u.deleted_at', 'u.blocked_at', 'p.kind'])
    .$if(engine === 'postgres', (query) =>
      query
        .orderBy('u.id')
        .offset(sql<number>`0`)
        .forNoKeyUpdate(['u']),
    );

/**
 * Leaves out people who have muted the author, no longer follow the discussion, or already have a notification of this post. Deleted
 * people get no notifications, and blocked people only those of answers.
 */
const insertFor = (engine: Engine) =>
  prepared<NotifiedPost & { people: string }, { user_id: number }>((db, slot) =>
    db
      .insertInto('notifications')
      .columns(['user_id', 'no', 'post_id', 'author_id', 'kind', 'root_post_id'])
      .expression(
        db
          .selectFrom(lockedPeople(db, engine, slot('people')).as('u'))
          .select((eb) => [
            'u.id as user_id',
            eb('u.notifications_made', '+', 1).as('no'),
            sql<number>`cast(${slot('postId')} as bigint)`.as('post_id'),
            sql<number>`cast(${slot('authorId')} as bigint)`.as('author_id'),
            eb.ref('u.kind').$notNull().as('kind'),
            sql<number>`cast(${slot('rootId')} as bigint)`.as('root_post_id'),
          ])
          .where('u.kind', 'is not', null)
          .where(isNotDeleted('u'))
          .where((eb) => eb.or([eb('u.kind', '=', 'answer'), isNotBlocked('u')]))
          .where(hasNotMuted(sql.ref('u.id'), slot('authorId')))
          .where((eb) =>
            eb.or([
              eb('u.kind', '<>', 'followed'),
              eb.not(
                eb.exists(
                  eb
                    .selectFrom('follows as f')
                    .select('f.user_id')
                    .where('f.root_post_id', '=', slot('rootId'))
                    .whereRef('f.user_id', '=', 'u.id')
                    .where('f.following', '=', 0),
                ),
              ),
            ]),
          ),
      )
      .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())
      .returning('user_id'),
  );

const insert = { sqlite: insertFor('sqlite'), postgres: insertFor('postgres') };

/**
 * Gives each of these people a notification with the person's next number. Locks their rows and the author's until the end of the
 * transaction. A person has at most one notification of a post.
 */
async function notify(tx: Tx, post: NotifiedPost, kinds: ReadonlyMap<number, NotificationKind>): Promise<void> {
  if (kinds.size === 0) return;
  const people = toParameter([...kinds, [post.authorId, null]]);
  const notified = await insert[tx.engine](tx.db, { ...post, people });
  countNotifications(tx, notified, { ...post, made: 1, stored: 1 });
  if (notified.length === 0) return;
  queuePushes(tx, { ...post, people: toParameter(notified.map(({ user_id: id }) => [id, null])) });
}

const named = preparedAmong<string, { id: number }>([limits.mentions], (db, names) =>
  db.selectFrom('users').select('id').where('username_key', 'in', names),
);

/** The ids of the people that a text mentions. `notify` leaves out those who are blocked or deleted. */
async function mentionedIn({ db }: Tx, text: string): Promise<number[]> {
  return (await named(db, mentionsOf(text).slice(0, limits.mentions))).map(({ id }) => id);
}

/**
 * Up to this number of followers get their notifications in the transaction that writes the reply. If there are more, a job
 * notifies them all: each notification writes two more pages, for which the author of the reply would wait.
 */
const followersAtOnce = 20;
/** Followers per transaction of the job, so that other writers do not wait long. */
const batch = 200;

export interface Reply extends NotifiedPost {
  text: string;
  repliedOwnerId: number;
  /** The author of the root post, unless it is gone. */
  rootOwnerId: number | undefined;
}

/** Chooses the followers as the people to notify, or leaves them to a job if they are many. */
async function addFollowers(
  tx: Tx,
  { postId, authorId, rootId }: NotifiedPost,
  { ids, kind, kinds }: { ids: readonly number[]; kind: NotificationKind; kinds: Map<number, NotificationKind> },
): Promise<void> {
  if (ids.length > followersAtOnce) {
    await schedule(tx, { name: 'tell-followers', key: String(postId), at: 0, payload: { rootId, authorId } });
  } else {
    for (const id of ids) kinds.set(id, kind);
  }
}

/** Notifies the people whom a new root post mentions, and the followers of its author. */
export async function notifyOfPost(tx: Tx, { text, ...post }: NotifiedPost & { text: string }): Promise<void> {
  const kinds = new Map<number, NotificationKind>();
  const ids = await followersOfAuthor(tx.db, { authorId: post.authorId, after: 0, limit: followersAtOnce + 1 });
  await addFollowers(tx, post, { ids, kind: 'author', kinds });
  for (const id of await mentionedIn(tx, text)) kinds.set(id, 'mention');
  kinds.delete(post.authorId);
  await notify(tx, post, kinds);
}

/** Notifies each person once: of a reply to the person, otherwise of a mention, otherwise of a followed discussion. */
export async function notifyOfReply(tx: Tx, { text, repliedOwnerId, rootOwnerId, ...post }: Reply): Promise<void> {
  const { rootId, authorId } = post;
  const followers = await followersToNotify(tx, { ...post, after: 0, limit: followersAtOnce + 1 });
  if (authorId !== rootOwnerId && !followers.hasAuthorChosen) followByReplying(tx, { rootId, userId: authorId });
  const kinds = new Map<number, NotificationKind>();
  await addFollowers(tx, post, { ids: followers.ids, kind: 'followed', kinds });
  if (rootOwnerId !== undefined) kinds.set(rootOwnerId, 'followed');
  for (const id of await mentionedIn(tx, text)) kinds.set(id, 'mention');
  kinds.set(repliedOwnerId, 'answer');
  kinds.delete(authorId);
  await notify(tx, post, kinds);
}

interface Run {
  key: string;
  payload: unknown;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Notifies the followers of a discussion of a reply, or of an author of a post, in batches. Run again after a crash, it notifies the others. */
export async function notifyFollowers({ key, payload, tx }: Run): Promise<void> {
  const post = { ...(payload as Omit<NotifiedPost, 'postId'>), postId: Number(key) };
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after;
    after = await tx((opened) => notifyBatch(opened, post, from));
  }
}

/** Resolves to the id of the last person of the batch; undefined when there are no more, or the reply is gone. */
async function notifyBatch(tx: Tx, post: NotifiedPost, after: number): Promise<number | undefined> {
  if (!(await isShown(tx, post.postId))) return undefined;
  const isRoot = post.postId === post.rootId;
  const listing = { ...post, after, limit: batch };
  const ids = isRoot ? await followersOfAuthor(tx.db, listing) : (await followersToNotify(tx, listing)).ids;
  await notify(tx, post, new Map(ids.map((id) => [id, isRoot ? 'author' : 'followed'])));
  return ids.length < batch ? undefined : ids.at(-1);
}

/** Whether the reply still exists. Locks it, so that it cannot be deleted before its notifications are written. */
async function isShown(tx: Tx, id: number): Promise<boolean> {
  const post = await tx.db
    .selectFrom('posts')
    .select('id')
    .where('id', '=', id)
    .$if(tx.engine === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  return post !== undefined;
}
