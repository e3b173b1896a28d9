import { type Kysely, sql } from 'kysely';
import { serverLimits } from '#contract/limits.ts';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted, isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { mentionsOf } from '../../names/mentioned.ts';
import { lexemesOfText } from '#contract/lexemes.ts';
import { followersOfWords, hidesOne, lexemesParameter, someFollowersOfWords } from '../words/word-store.ts';
import {
  followByReplying,
  followersOfAuthor,
  followersToNotify,
  isFollowing,
  someFollowersOfAuthor,
} from './follows.ts';
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
 * Leaves out people who have muted the author or hide a word of the post, no longer follow the discussion, or already have a
 * notification of this post. Deleted people get no notifications, and blocked people only those of answers.
 */
const insertFor = (engine: Engine) =>
  prepared<NotifiedPost & { people: string; lexemes: string }, { user_id: number }>((db, slot) =>
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
          .where((eb) => eb.not(hidesOne(engine, sql.ref('u.id'), slot('lexemes'))))
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
async function notify(
  tx: Tx,
  { text, ...post }: NotifiedText,
  kinds: ReadonlyMap<number, NotificationKind>,
): Promise<void> {
  if (kinds.size === 0) return;
  const people = toParameter([...kinds, [post.authorId, null]]);
  const lexemes = lexemesParameter(lexemesOfText(text));
  const notified = await insert[tx.engine](tx.db, { ...post, people, lexemes });
  countNotifications(tx, notified, { ...post, made: 1, stored: 1 });
  if (notified.length === 0) return;
  queuePushes(tx, { ...post, people: toParameter(notified.map(({ user_id: id }) => [id, null])) });
}

const named = preparedAmong<string, { id: number }>([serverLimits.mentions], (db, names) =>
  db.selectFrom('users').select('id').where('username_key', 'in', names),
);

/** The ids of the people that a text mentions. `notify` leaves out those who are blocked or deleted. */
async function mentionedIn({ db }: Tx, text: string): Promise<number[]> {
  return (await named(db, mentionsOf(text).slice(0, serverLimits.mentions))).map(({ id }) => id);
}

/**
 * Up to this number of followers get their notifications in the transaction that writes the reply. If there are more, a job
 * notifies them all: each notification writes two more pages, for which the author of the reply would wait.
 */
const followersAtOnce = 20;
/** Followers per transaction of the job, so that other writers do not wait long. */
const batch = 200;

export interface NotifiedText extends NotifiedPost {
  text: string;
}

export interface Reply extends NotifiedText {
  repliedOwnerId: number;
  /** The author of the root post, unless it is gone. */
  rootOwnerId: number | undefined;
}

const ofWordsAtOnce = (tx: Tx, lexemes: readonly string[]): Promise<number[]> =>
  someFollowersOfWords(tx, lexemes, followersAtOnce + 1);

/**
 * Chooses the followers of the author or of the discussion, and those of the words, as the people to notify. If either are many,
 * they are all left to a job, which keeps the order of the kinds.
 */
async function chooseFollowers(
  tx: Tx,
  { postId, authorId, rootId }: NotifiedPost,
  { ids, kind, ofWords }: { ids: readonly number[]; kind: NotificationKind; ofWords: readonly number[] },
): Promise<Map<number, NotificationKind>> {
  if (Math.max(ids.length, ofWords.length) > followersAtOnce) {
    await schedule(tx, { name: 'tell-followers', key: String(postId), at: 0, payload: { rootId, authorId } });
    return new Map();
  }
  const kinds = new Map<number, NotificationKind>(ofWords.map((id) => [id, 'word']));
  for (const id of ids) kinds.set(id, kind);
  return kinds;
}

interface Followers {
  ofAuthor: readonly number[];
  ofWords: readonly number[];
}

/** The followers of the author and of the words of a root post. The query does not need the post, so it is sent beside its insertion. */
export async function followersOfPost(
  tx: Tx,
  { authorId, text }: { authorId: number; text: string },
): Promise<Followers> {
  const [ofAuthor, ofWords] = await Promise.all([
    someFollowersOfAuthor(tx, authorId, followersAtOnce + 1),
    ofWordsAtOnce(tx, lexemesOfText(text)),
  ]);
  return { ofAuthor, ofWords };
}

/** Notifies the people whom a new root post mentions, and its followers. */
export async function notifyOfPost(tx: Tx, post: NotifiedText, { ofAuthor, ofWords }: Followers): Promise<void> {
  const kinds = await chooseFollowers(tx, post, { ids: ofAuthor, kind: 'author', ofWords });
  for (const id of await mentionedIn(tx, post.text)) kinds.set(id, 'mention');
  kinds.delete(post.authorId);
  await notify(tx, post, kinds);
}

/**
 * Notifies each person once: of a reply to the person, otherwise of a mention, otherwise of a followed discussion, otherwise of a
 * followed word.
 */
export async function notifyOfReply(tx: Tx, { repliedOwnerId, rootOwnerId, ...post }: Reply): Promise<void> {
  const { rootId, authorId, text } = post;
  const [followers, ofWords] = await Promise.all([
    followersToNotify(tx, { ...post, after: 0, limit: followersAtOnce + 1 }),
    ofWordsAtOnce(tx, lexemesOfText(text)),
  ]);
  if (authorId !== rootOwnerId && !followers.hasAuthorChosen) followByReplying(tx, { rootId, userId: authorId });
  const kinds = await chooseFollowers(tx, post, { ids: followers.ids, kind: 'followed', ofWords });
  if (rootOwnerId !== undefined) {
    const owner = { rootId, userId: rootOwnerId };
    // `notify` leaves out an author who no longer follows the own discussion, but a followed word still tells.
    if (kinds.get(rootOwnerId) !== 'word' || (await isFollowing(tx.db, owner))) kinds.set(rootOwnerId, 'followed');
  }
  for (const id of await mentionedIn(tx, text)) kinds.set(id, 'mention');
  kinds.set(repliedOwnerId, 'answer');
  kinds.delete(authorId);
  await notify(tx, post, kinds);
}

/** Notifies those who follow a word that an edit has added. */
export async function notifyOfEdit(tx: Tx, post: NotifiedText, before: string): Promise<void> {
  const added = new Set(lexemesOfText(post.text)).difference(new Set(lexemesOfText(before)));
  if (added.size === 0) return;
  const kinds = await chooseFollowers(tx, post, {
    ids: [],
    kind: 'word',
    ofWords: await ofWordsAtOnce(tx, [...added]),
  });
  kinds.delete(post.authorId);
  await notify(tx, post, kinds);
}

interface Run {
  key: string;
  payload: unknown;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Notifies the followers of a discussion of a reply, or of an author of a post, and then those of its words, in batches. Run again
 * after a crash, it notifies the others.
 */
export async function notifyFollowers({ key, payload, tx }: Run): Promise<void> {
  const post = { ...(payload as Omit<NotifiedPost, 'postId'>), postId: Number(key) };
  for (const kind of [post.postId === post.rootId ? 'author' : 'followed', 'word'] as const) {
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      after = await tx((opened) => notifyBatch(opened, post, { kind, after: from }));
    }
  }
}

/** Resolves to the id of the last person of the batch; undefined when there are no more, or the reply is gone. */
async function notifyBatch(
  tx: Tx,
  post: NotifiedPost,
  { kind, after }: { kind: 'author' | 'followed' | 'word'; after: number },
): Promise<number | undefined> {
  const text = await lockText(tx, post.postId);
  if (text === undefined) return undefined;
  const listing = { ...post, after, limit: batch };
  const idsOf = {
    author: () => followersOfAuthor(tx.db, listing),
    followed: async () => (await followersToNotify(tx, listing)).ids,
    word: () => followersOfWords(tx, { lexemes: lexemesParameter(lexemesOfText(text)), after, limit: batch }),
  };
  const ids = await idsOf[kind]();
  const kinds = new Map<number, NotificationKind>(ids.map((id) => [id, kind]));
  kinds.delete(post.authorId);
  await notify(tx, { ...post, text }, kinds);
  return ids.length < batch ? undefined : ids.at(-1);
}

/** The text of a post; undefined if it is gone. Locks it, so that it cannot be deleted before its notifications are written. */
async function lockText(tx: Tx, id: number): Promise<string | undefined> {
  const post = await tx.db
    .selectFrom('posts')
    .select('text')
    .where('id', '=', id)
    .$if(tx.engine === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  return post?.text;
}
