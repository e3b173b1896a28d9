import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { followersOfPost, notifyOfEdit, notifyOfPost, notifyOfReply } from '../notifications/recipients.ts';
import type { Post } from '#contract/posts.ts';
import { isIn } from '../../db/all-posts.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasVisibleAuthor } from '../../db/visibility.ts';
import { recordChange } from '../../live/change-log.ts';
import { addToIndex, changeIndex } from '../../search/post-words.ts';
import { noteReply } from './discussions.ts';
import { countRootPost } from './feed-counts.ts';
import { noteFirst } from './first-posts.ts';
import { type ReplyRefusal, refusalOfReply } from './reply-rules.ts';
import {
  type AuthoredRow,
  authorColumns,
  type Content,
  contentColumns,
  contentOf,
  type Names,
  type NewPost,
  newRow,
  toPost,
  toPostWith,
} from './post-rows.ts';
import { countReplyIn } from './thread-counts.ts';

/** The newest shown root post or reply of the row of `users`. Each kind has an index by author. */
const newestOf = (kind: 'is null' | 'is not null') => sql`select * from (
  select p.id from posts p where p.user_id = users.id and p.replied_post_id ${sql.raw(kind)} order by p.user_id desc, p.id desc limit 1
) kind`;
const newest = sql<number>`(select max(n.id) from (${newestOf('is null')} union all ${newestOf('is not null')}) n)`;

/** Counts a post that is shown again or no longer. The transaction has locked the row of its author. */
const countShown = (column: 'posts_count' | 'replies_count') =>
  prepared<{ userId: number; change: number }, never>((db, slot) =>
    db
      .updateTable('users')
      .set((eb) => ({
        [column]: eb(column, '+', slot('change')),
        last_post_id: sql`coalesce(${newest}, 0)`,
      }))
      .where('id', '=', slot('userId')),
  );

export const countUsersPosts = countShown('posts_count');
export const countUsersReplies = countShown('replies_count');

type Author = Names & Pick<Selectable<Schema['users']>, 'deleted_at' | 'posts_count'>;

/** Counts a new post in its author's row. */
const countAuthor = (column: 'posts_count' | 'replies_count') =>
  prepared<{ userId: number; postId: number }, Author>((db, slot) =>
    db
      .updateTable('users')
      .set((eb) => ({
        [column]: eb(column, '+', 1),
        // A later post of the author may have been counted first.
        last_post_id: sql`case when last_post_id < ${slot('postId')} then ${slot('postId')} else last_post_id end`,
      }))
      .where('id', '=', slot('userId'))
      .returning([...authorColumns, 'deleted_at', 'posts_count']),
  );

const countAuthorsPost = countAuthor('posts_count');
const countAuthorsReply = countAuthor('replies_count');

interface NewPostRow extends NewPost {
  parentId: number | null;
  repliedTo: number | null;
  depth: number;
}

const insertPost = prepared<NewPostRow, { id: number }>((db, slot) =>
  db
    .insertInto('all_posts')
    .values({
      ...(Object.fromEntries(contentColumns.map((column) => [column, slot(column)])) as Content),
      user_id: slot('userId'),
      created_at: slot('now'),
      parent_post_id: slot('parentId'),
      replied_post_id: slot('repliedTo'),
      depth: slot('depth'),
    })
    .returning('id'),
);

/** `post` resolves to what a query after the commit would find. */
export interface Published {
  id: number;
  post: Promise<Post | undefined>;
}

const asRoot = { parentId: null, repliedTo: null, depth: 0 };

/** Publishes a root post. */
export async function publishPost(tx: Tx, written: NewPost): Promise<Published> {
  const { userId, text, now } = written;
  const [[inserted], followers] = await Promise.all([
    insertPost(tx.db, { userId, now, ...contentOf(written), ...asRoot }),
    followersOfPost(tx, { authorId: userId, text }),
  ]);
  const { id } = inserted!;
  addToIndex(tx, { id, user_id: userId, text });
  // This comes before the author is counted: it locks the rows of the author and the notified people in the order of ids, so that
  // transactions do not deadlock.
  await notifyOfPost(tx, { postId: id, authorId: userId, rootId: id, text }, followers);
  // The response needs `post` only after the commit, so the query is not awaited here.
  const counted = countAuthorsPost(tx.db, { userId, postId: id });
  const post = ownRow(counted, { id, ...written }).then((row) => row && toPost(row));
  tx.send(
    post,
    noteIfFirst(tx, counted, { id, userId, now }),
    countRootPost(tx, id, 1),
    recordChange(tx, { kind: 'new', postId: id, ownerId: userId, repliedTo: null, rootId: null, now }),
  );
  tx.touch('+feed', `+posts-of:${userId}`);
  return { id, post };
}

interface FirstPost {
  id: number;
  userId: number;
  now: number;
}

/** On SQLite the count of the author saves the query. On PostgreSQL the query is sent at once, because the result comes after the commit. */
async function noteIfFirst({ engine, db }: Tx, counted: Promise<Author[]>, post: FirstPost): Promise<void> {
  if (engine === 'sqlite' && (await counted)[0]!.posts_count > 1) return;
  await noteFirst(db, post);
}

/** The row of a new post; undefined when the author has deleted the account. */
async function ownRow(counted: Promise<Author[]>, written: NewPost & { id: number }): Promise<AuthoredRow | undefined> {
  const [author] = await counted;
  return author!.deleted_at === null ? newRow(written, author!) : undefined;
}

/** Resolves to the id of the post. */
export const createPost = async (tx: Tx, post: NewPost): Promise<number> => (await publishPost(tx, post)).id;

/** Publishes a reply. When the reply is refused, the caller must roll back the transaction. */
export async function publishReply(
  tx: Tx,
  repliedTo: number,
  written: NewPost,
  wallPace = 0,
): Promise<Published | ReplyRefusal> {
  const { userId, text, now, wasPending = false } = written;
  // The count also locks the replied post, so that it cannot be deleted concurrently.
  const replied = await countReplyIn(tx, repliedTo);
  if (!replied) return { refused: 'missing' };
  const { rootId, rootOwnerId, rules, ...repliedPost } = replied;
  // `countReplyIn` has locked the root, so its rules cannot change concurrently.
  const { closed_by } = rules;
  const pace = wasPending ? 0 : rules.pace;
  const refusal = await refusalOfReply(tx, { pace, closed_by, rootId, wallPace, userId, rootOwnerId, now });
  if (refusal) return refusal;
  const asReply = { parentId: rootId, repliedTo, depth: repliedPost.depth + 1 };
  const [inserted] = await insertPost(tx.db, { userId, now, ...contentOf(written), ...asReply });
  const { id } = inserted!;
  addToIndex(tx, { id, user_id: userId, text });
  const lifts = noteReply(tx, { id, rootId, userId, now }, rootOwnerId !== undefined && closed_by !== 'author');
  // This comes before the author is counted, as in `publishPost`.
  await notifyOfReply(tx, {
    postId: id,
    authorId: userId,
    rootId,
    text,
    repliedOwnerId: repliedPost.user_id,
    rootOwnerId,
  });
  const place = { parent_post_id: rootId, replied_post_id: repliedTo };
  const post = ownRow(countAuthorsReply(tx.db, { userId, postId: id }), { id, ...written }).then(
    (row) => row && toPostWith({ ...row, ...place }, repliedPost),
  );
  tx.send(post, recordChange(tx, { kind: 'new', postId: id, ownerId: userId, repliedTo, rootId, now }));
  touchThread(tx, { userId, repliedTo, rootId }, '+');
  if (await lifts) tx.touch('+discussed');
  return { id, post };
}

/** Resolves to the id of the reply; undefined when the reply is refused. */
export async function createReply(tx: Tx, repliedTo: number, post: NewPost): Promise<number | undefined> {
  const published = await publishReply(tx, repliedTo, post);
  return 'refused' in published ? undefined : published.id;
}

/**
 * Touches the post that is replied to and the root, because a reply changes the counts of both. Every response about the
 * thread has the tag of the root.
 */
export function touchThread(
  tx: Tx,
  { userId, repliedTo, rootId }: { userId: number; repliedTo: number; rootId: number },
  kind: '' | '+' = '',
): void {
  tx.touch(`${kind}post:${repliedTo}`, `${kind}replies:${repliedTo}`, `${kind}replies-of:${userId}`);
  if (rootId !== repliedTo) tx.touch(`${kind}post:${rootId}`);
}

const lockedColumns = [
  'id',
  'user_id',
  'text',
  'created_at',
  'parent_post_id',
  'replied_post_id',
  'depth',
  'likes_count',
  'thread_count',
  'closed_by',
  'state',
  'is_place',
  'removed_at',
  'with_block',
  'unseen',
] as const;

/** A post that is not gone. */
export type StoredPost = Pick<Selectable<Schema['all_posts']>, (typeof lockedColumns)[number]> & {
  user_id: number;
  text: string;
};

const locking = (condition: RawBuilder<SqlBool>) =>
  prepared<{ id: number }, StoredPost>((db, slot) =>
    db
      .updateTable('all_posts')
      .set((eb) => ({ likes_count: eb.ref('likes_count') }))
      .where('id', '=', slot('id'))
      .where(condition)
      .returning(lockedColumns)
      .$castTo<StoredPost>(),
  );

const lock = locking(isIn('shown'));
const lockVisible = locking(sql`${isIn('shown')} and ${hasVisibleAuthor('all_posts')}`);
const lockHidden = locking(isIn('deleted', 'removed'));

/** Reads a shown post and locks its row until the end of the transaction: an update without a change locks on both engines. */
export async function lockPost(tx: Tx, id: number): Promise<StoredPost | undefined> {
  const [post] = await lock(tx.db, { id });
  return post;
}

/** Like `lockPost`, but does not find the post of a deleted account. */
export async function lockVisiblePost(tx: Tx, id: number): Promise<StoredPost | undefined> {
  const [post] = await lockVisible(tx.db, { id });
  return post;
}

/** Like `lockPost`, for a post that is deleted or removed. */
export async function lockWithdrawn(tx: Tx, id: number): Promise<StoredPost | undefined> {
  const [post] = await lockHidden(tx.db, { id });
  return post;
}

const setText = prepared<{ id: number; text: string; now: number }, never>((db, slot) =>
  db
    .updateTable('all_posts')
    .set({ text: slot('text'), modified_at: slot('now') })
    .where('id', '=', slot('id')),
);

export async function changeText(tx: Tx, post: StoredPost, text: string, now: number): Promise<void> {
  await setText(tx.db, { id: post.id, text, now });
  await changeIndex(tx, post, { ...post, text });
  const { id: postId, user_id: authorId, parent_post_id: rootId } = post;
  await notifyOfEdit(tx, { postId, authorId, rootId: rootId ?? postId, text }, post.text);
  await recordPostChange(tx, 'changed', post, now);
  tx.touch(`post:${post.id}`);
}

export const recordPostChange = (
  tx: Tx,
  kind: 'changed' | 'counted',
  post: Pick<StoredPost, 'id' | 'user_id' | 'replied_post_id' | 'parent_post_id'>,
  now: number,
): Promise<void> => {
  const { id: postId, user_id: ownerId, replied_post_id: repliedTo, parent_post_id: rootId } = post;
  return recordChange(tx, { kind, postId, ownerId, repliedTo, rootId, now });
};
