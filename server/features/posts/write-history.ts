import { sql } from 'kysely';
import { displayNameKey } from '#contract/profile-text.ts';
import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../db/database.ts';
import { compareNames, lockNames } from '../../names/namesakes.ts';
import { addToIndex } from '../../search/post-words.ts';
import { noteReply } from './discussions.ts';
import { countRootPost } from './feed-counts.ts';
import { type Content, contentOf } from './post-rows.ts';

/** A part of an imported or generated history: people, posts and likes with ids that were reserved for them. */
export interface History {
  people: readonly HistoryPerson[];
  /** In the order of their ids and times. */
  posts: readonly HistoryPost[];
  likes: readonly HistoryLike[];
}

interface HistoryPerson {
  id: number;
  username: string;
  displayName: string | null;
  face: string | null;
  email: string;
  createdAt: number;
  /** Null for people whose history is imported. */
  newcomerUntil: number | null;
}

interface HistoryPost extends Content {
  id: number;
  userId: number;
  createdAt: number;
  modifiedAt: number | null;
  parentId: number | null;
  repliedId: number | null;
  /** 0 for a root post. */
  depth: number;
}

interface HistoryLike {
  postId: number;
  userId: number;
  createdAt: number;
}

interface Change {
  likes: number;
  replies: number;
}

/** Increments of a post's counts. */
interface PostChange extends Change {
  /** All replies below a root post. */
  thread: number;
}

/** Increments of a person's counts. */
interface UserChange extends Change {
  posts: number;
  /** The last post in this part of the history; 0: none. */
  last: number;
}

/** The increments that a part of the history causes, by post and by person. */
function changesOf({ posts: written, likes }: Pick<History, 'posts' | 'likes'>): {
  posts: Map<number, PostChange>;
  users: Map<number, UserChange>;
} {
  const posts = new Map<number, PostChange>();
  const users = new Map<number, UserChange>();
  const ofPost = (id: number) => entry(posts, id, () => ({ likes: 0, replies: 0, thread: 0 }));
  const ofUser = (id: number) => entry(users, id, () => ({ posts: 0, likes: 0, replies: 0, last: 0 }));

  for (const { id, userId, repliedId, parentId } of written) {
    ofUser(userId).last = id;
    if (repliedId === null) {
      ofUser(userId).posts += 1;
    } else {
      ofUser(userId).replies += 1;
      ofPost(repliedId).replies += 1;
      ofPost(parentId!).thread += 1;
    }
  }
  for (const { postId, userId } of likes) {
    ofPost(postId).likes += 1;
    ofUser(userId).likes += 1;
  }
  return { posts, users };
}

function entry<T>(map: Map<number, T>, key: number, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** Rows per statement, because both engines limit the number of parameters. */
const rowsPerStatement = 250;

/**
 * Writes a part of a history without notifications and live events. Counts, discussions and the search index are complete
 * after each part.
 */
export async function writeHistory(tx: Tx, history: History): Promise<void> {
  const { posts, users } = changesOf(history);
  await insertPeople(tx, history);
  await insertPosts(tx, history, posts);
  await noteReplies(tx, history);
  await insertLikes(tx, history);
  const written = new Set(history.posts.map(({ id }) => id));
  await addToCounts(
    tx,
    'all_posts',
    ['likes_count', 'replies_count', 'thread_count'],
    [...posts]
      .filter(([id]) => !written.has(id))
      .map(([id, { likes, replies, thread }]) => [id, likes, replies, thread]),
  );
  await addToCounts(
    tx,
    'users',
    ['posts_count', 'likes_count', 'replies_count', lastPost],
    [...users].map(([id, added]) => [id, added.posts, added.likes, added.replies, added.last]),
  );
  for (const { id, repliedId } of history.posts) if (repliedId === null) await countRootPost(tx, id, 1);
  tx.touch('feed', 'discussed');
  for (const [id, { replies }] of posts) {
    tx.touch(`post:${id}`);
    if (replies > 0) tx.touch(`replies:${id}`);
  }
  for (const [id, added] of users) {
    tx.touch(`user:${id}`);
    if (added.posts > 0) tx.touch(`posts-of:${id}`);
    if (added.replies > 0) tx.touch(`replies-of:${id}`);
  }
}

async function insertPeople(tx: Tx, { people }: History): Promise<void> {
  if (people.length === 0) return;
  await lockNames(tx);
  const rows = people.map(({ id, username, displayName, face, email, createdAt, newcomerUntil }) => ({
    id,
    username,
    username_key: usernameKey(username),
    display_name: displayName,
    display_key: displayName && displayNameKey(displayName),
    face,
    email,
    created_at: createdAt,
    newcomer_until: newcomerUntil,
  }));
  for (const part of parts(rows)) {
    const comparisons = await compareNames(tx.db, part);
    const compared = part.map((row, i) => ({ ...row, ...comparisons[i]! }));
    await tx.db.insertInto('users').values(compared).execute();
  }
}

async function insertPosts(tx: Tx, { posts }: History, changes: Map<number, PostChange>): Promise<void> {
  const rows = posts.map(({ id, userId, createdAt, modifiedAt, parentId, repliedId, depth, ...written }) => ({
    id,
    user_id: userId,
    ...contentOf(written),
    created_at: createdAt,
    modified_at: modifiedAt,
    parent_post_id: parentId,
    replied_post_id: repliedId,
    likes_count: changes.get(id)?.likes ?? 0,
    replies_count: changes.get(id)?.replies ?? 0,
    thread_count: changes.get(id)?.thread ?? 0,
    depth,
  }));
  for (const part of parts(rows)) await tx.db.insertInto('all_posts').values(part).execute();
  for (const row of rows) addToIndex(tx, row);
}

/** All queries are sent at once, in the order of the replies. */
async function noteReplies(tx: Tx, { posts }: History): Promise<void> {
  const noted = posts.map(async ({ id, parentId, userId, createdAt }) => {
    if (parentId !== null) await noteReply(tx, { id, rootId: parentId, userId, now: createdAt }, true);
  });
  await Promise.all(noted);
}

async function insertLikes({ db }: Tx, { likes }: History): Promise<void> {
  const rows = likes.map(({ postId, userId, createdAt }) => ({
    post_id: postId,
    user_id: userId,
    created_at: createdAt,
  }));
  for (const part of parts(rows)) await db.insertInto('likes').values(part).execute();
}

const lastPost = 'last_post_id';

/** Each row holds an id and one increment for each column, for `lastPost` its value. */
async function addToCounts({ db }: Tx, table: 'users' | 'all_posts', columns: readonly string[], rows: number[][]) {
  const id = sql.ref(`${table}.id`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const sums = sql.join(
    columns.map((name) => {
      const [stored, added] = [sql.ref(`${table}.${name}`), sql.ref(`added.${name}`)];
      const later = sql`case when ${added} > ${stored} then ${added} else ${stored} end`;
      return sql`${sql.ref(name)} = ${name === lastPost ? later : sql`${stored} + ${added}`}`;
    }),
  );
  for (const part of parts(rows)) {
    // Without the last condition SQLite scans the whole table.
    await sql`
      with added (id, ${names}) as (values ${sql.join(part.map(numbers))})
      update ${sql.table(table)} set ${sums} from added
      where ${id} = added.id and ${id} in (select id from added)`.execute(db);
  }
}

/** A row of `values`. The casts are needed because PostgreSQL treats untyped parameters there as text. */
function numbers(values: number[]) {
  return sql`(${sql.join(values.map((value) => sql`cast(${value} as bigint)`))})`;
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) yield rows.slice(from, from + rowsPerStatement);
}
