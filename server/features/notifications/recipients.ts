import { type Kysely, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import { splitLinks } from '#contract/links.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted, isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { followByReplying, followersToNotify } from './follows.ts';
import { queuePushes } from './push/push-store.ts';
import { countNotifications, type Engine, given, type NotifiedPost, toParameter } from './notified-people.ts';

/**
 * Locked in the order of their ids: people may reply to each other. SQLite has one writer at a time. Without the offset,
 * PostgreSQL would apply the conditions of the statement first, and not lock the author.
 */
const lockedPeople = (db: Kysely<Schema>, engine: Engine, people: string) =>
  db
    .selectFrom(given[engine](people).as('p'))
    .innerJoin('users as u', 'u.id', 'p.id')
    .select(['u.id', 'u.notifications_made', 'u.deleted_at', 'u.blocked_at', 'p.kind'])
    .$if(engine === 'postgres', (query) =>
      query
        .orderBy('u.id')
        .offset(sql<number>`0`)
        .forNoKeyUpdate(['u']),
    );

/** Leaves out people who have muted the author, who follow the discussion no longer, and who have a notification of this post. */
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
            eb.not(
              eb.exists(
                eb
                  .selectFrom('removed_notifications as r')
                  .select('r.no')
                  .where('r.post_id', '=', slot('postId'))
                  .whereRef('r.user_id', '=', 'u.id'),
              ),
            ),
          )
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
 * Gives these people a notification under their next number, with their rows locked until the end of the transaction; the
 * author's is locked with them. People who have one of this post already keep it.
 */
async function notify(tx: Tx, news: NotifiedPost, kinds: ReadonlyMap<number, NotificationKind>): Promise<void> {
  if (kinds.size === 0) return;
  const people = toParameter([...kinds, [news.authorId, null]]);
  const notified = await insert[tx.engine](tx.db, { ...news, people });
  countNotifications(tx, notified, { ...news, made: 1, kept: 1 });
  if (notified.length === 0) return;
  queuePushes(tx, { ...news, people: toParameter(notified.map(({ user_id: id }) => [id, null])) });
}

const named = preparedAmong<string, { id: number }>([limits.mentions], (db, names) =>
  db.selectFrom('users').select('id').where('username_key', 'in', names),
);

/** The ids of the people that a text mentions, also of those who are blocked or gone: `notify` leaves them out. */
async function mentionedIn({ db }: Tx, text: string): Promise<number[]> {
  return (await named(db, mentionsOf(text).slice(0, limits.mentions))).map(({ id }) => id);
}

/** The different names that a text mentions, as they are compared. */
function mentionsOf(text: string): string[] {
  if (!text.includes('@')) return [];
  const mentions = splitLinks(text).filter((part) => part.href !== undefined && part.text.startsWith('@'));
  return [...new Set(mentions.map((part) => usernameKey(part.text.slice(1))))];
}

/**
 * Followers who get their notification in the transaction that writes the reply. If there are more, a job notifies them all: each person's
 * notification is a write to two more pages, for which the author of the reply would wait.
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

/** Notifies the people whom a new root post mentions. */
export async function notifyOfPost(tx: Tx, { text, ...news }: NotifiedPost & { text: string }): Promise<void> {
  const kinds = new Map<number, NotificationKind>();
  for (const id of await mentionedIn(tx, text)) kinds.set(id, 'mention');
  kinds.delete(news.authorId);
  await notify(tx, news, kinds);
}

/** Notifies each person once: of a reply to them, otherwise of a mention, otherwise of the discussion they follow. */
export async function notifyOfReply(tx: Tx, { text, repliedOwnerId, rootOwnerId, ...news }: Reply): Promise<void> {
  const { rootId, authorId } = news;
  const followers = await followersToNotify(tx, { ...news, after: 0, limit: followersAtOnce + 1 });
  if (authorId !== rootOwnerId && !followers.hasAuthorChosen) followByReplying(tx, { rootId, userId: authorId });
  const kinds = new Map<number, NotificationKind>();
  if (followers.ids.length > followersAtOnce) {
    await schedule(tx, { name: 'tell-followers', key: String(news.postId), at: 0, payload: { rootId, authorId } });
  } else {
    for (const id of followers.ids) kinds.set(id, 'followed');
  }
  if (rootOwnerId !== undefined) kinds.set(rootOwnerId, 'followed');
  for (const id of await mentionedIn(tx, text)) kinds.set(id, 'mention');
  kinds.set(repliedOwnerId, 'answer');
  kinds.delete(authorId);
  await notify(tx, news, kinds);
}

interface Run {
  key: string;
  payload: unknown;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Notifies the followers of a discussion of a reply, in batches. After a crash it continues with the others. */
export async function notifyFollowers({ key, payload, tx }: Run): Promise<void> {
  const news = { ...(payload as Omit<NotifiedPost, 'postId'>), postId: Number(key) };
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after;
    after = await tx((opened) => notifyBatch(opened, news, from));
  }
}

/** Resolves to the id of the last person of the batch; undefined when there are no more, or the reply is gone. */
async function notifyBatch(tx: Tx, news: NotifiedPost, after: number): Promise<number | undefined> {
  if (!(await isShown(tx, news.postId))) return undefined;
  const { ids } = await followersToNotify(tx, { ...news, after, limit: batch });
  await notify(tx, news, new Map(ids.map((id) => [id, 'followed'])));
  return ids.length < batch ? undefined : ids.at(-1);
}

/** Locked, so that the reply cannot be deleted meanwhile and leave notifications behind. */
async function isShown(tx: Tx, id: number): Promise<boolean> {
  const post = await tx.db
    .selectFrom('posts')
    .select('id')
    .where('id', '=', id)
    .$if(tx.engine === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  return post !== undefined;
}
