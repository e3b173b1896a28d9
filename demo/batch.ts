import { sql } from 'kysely';
import { displayNameKey } from '#contract/profile-text.ts';
import type { Tx } from '../server/db/database.ts';
import { noteReply } from '../server/features/posts/discussions.ts';
import { countRootPost } from '../server/features/posts/feed-counts.ts';
import { addToIndex } from '../server/search/post-words.ts';
import { changesOf, type PostChange } from './changes.ts';
import type { Step } from './wall.ts';

/** Ids of the first person and the first post of the demo. */
export interface FirstIds {
  user: number;
  post: number;
}

/** Steps that are written in one transaction. */
export interface Batch {
  steps: readonly Step[];
  /** Numbers of the first new person and the first post in the batch. */
  firstPerson: number;
  firstPost: number;
}

/** Rows per statement, because both engines limit the number of parameters. */
const rowsPerStatement = 250;

/** Writes a batch and updates the counts, so that they are correct after each batch. */
export async function writeBatch(tx: Tx, batch: Batch, ids: FirstIds): Promise<void> {
  const { posts, users } = changesOf(batch.steps);
  await insertPeople(tx, batch, ids);
  await insertPosts(tx, batch, ids, posts);
  await noteReplies(tx, batch, ids);
  await insertLikes(tx, batch, ids);
  const older = [...posts].filter(([post]) => post < batch.firstPost);
  await addToCounts(
    tx,
    'posts',
    ['likes_count', 'replies_count', 'thread_count'],
    older.map(([post, { likes, replies, thread }]) => [ids.post + post, likes, replies, thread]),
  );
  await addToCounts(
    tx,
    'users',
    ['posts_count', 'likes_count', 'replies_count'],
    [...users].map(([person, added]) => [ids.user + person, added.posts, added.likes, added.replies]),
  );
  await addNotifications(tx, batch, ids);
  await countInFeed(tx, batch, ids);
  tx.touch('feed', 'discussed');
  for (const [post, { replies }] of posts) {
    tx.touch(`post:${ids.post + post}`);
    if (replies > 0) tx.touch(`replies:${ids.post + post}`);
  }
  for (const [person, added] of users) {
    tx.touch(`user:${ids.user + person}`);
    if (added.posts > 0) tx.touch(`posts-of:${ids.user + person}`);
    if (added.replies > 0) tx.touch(`replies-of:${ids.user + person}`);
  }
}

async function insertPeople({ db }: Tx, { steps, firstPerson }: Batch, ids: FirstIds): Promise<void> {
  const rows = steps
    .flatMap(({ joined, at }) => joined.map((person) => ({ person, at })))
    .map(({ person: { username, displayName, email }, at }, i) => ({
      id: ids.user + firstPerson + i,
      username,
      username_key: username.toLowerCase(),
      display_name: displayName,
      display_key: displayName && displayNameKey(displayName),
      email,
      created_at: at,
    }));
  for (const part of parts(rows)) await db.insertInto('users').values(part).execute();
}

async function insertPosts(tx: Tx, { steps, firstPost }: Batch, ids: FirstIds, changes: Map<number, PostChange>) {
  const rows = steps.map(({ at, post }, i) => ({
    id: ids.post + firstPost + i,
    user_id: ids.user + post.author,
    text: post.text,
    created_at: at,
    modified_at: post.isModified ? at + 60 : null,
    parent_post_id: post.parent === null ? null : ids.post + post.parent,
    replied_post_id: post.replied === null ? null : ids.post + post.replied,
    likes_count: changes.get(firstPost + i)?.likes ?? 0,
    replies_count: changes.get(firstPost + i)?.replies ?? 0,
    thread_count: changes.get(firstPost + i)?.thread ?? 0,
    depth: post.depth,
  }));
  for (const part of parts(rows)) await tx.db.insertInto('posts').values(part).execute();
  for (const row of rows) addToIndex(tx, row);
}

/** All queries are under way together, in the order of the replies. */
async function noteReplies(tx: Tx, { steps, firstPost }: Batch, ids: FirstIds): Promise<void> {
  const noted = steps.map(async ({ at, post: { parent, author } }, i) => {
    if (parent === null) return;
    const reply = { id: ids.post + firstPost + i, rootId: ids.post + parent, userId: ids.user + author, now: at };
    await noteReply(tx, reply, true);
  });
  await Promise.all(noted);
}

async function insertLikes({ db }: Tx, { steps }: Batch, ids: FirstIds): Promise<void> {
  const rows = steps.flatMap(({ at, likes }) =>
    likes.map(({ post, person }) => ({ post_id: ids.post + post, user_id: ids.user + person, created_at: at })),
  );
  for (const part of parts(rows)) await db.insertInto('likes').values(part).execute();
}

/** Each row is an id and the number to add to each of the columns. */
async function addToCounts({ db }: Tx, table: 'users' | 'posts', columns: readonly string[], rows: number[][]) {
  const id = sql.ref(`${table}.id`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const sums = sql.join(
    columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`added.${name}`)}`),
  );
  for (const part of parts(rows)) {
    // Without the last condition SQLite scans the whole table.
    await sql`
      with added (id, ${names}) as (values ${sql.join(part.map(numbers))})
      update ${sql.table(table)} set ${sums} from added
      where ${id} = added.id and ${id} in (select id from added)`.execute(db);
  }
}

/** Adds the notifications. In the demo no reply is to one's own post, and all notifications are read. */
async function addNotifications({ db }: Tx, { steps, firstPost }: Batch, ids: FirstIds): Promise<void> {
  const from = ids.post + firstPost;
  const to = from + steps.length;
  await sql`
    insert into notifications (user_id, no, post_id, author_id, kind)
    select n.user_id, u.notifications_made + row_number() over (partition by n.user_id order by n.id), n.id, n.author_id, n.kind
    from (
      select q.user_id, p.id, p.user_id as author_id, 'answer' as kind from posts p join posts q on q.id = p.replied_post_id
      where p.id >= ${from} and p.id < ${to}
      union all
      select r.user_id, p.id, p.user_id as author_id, 'followed' as kind
      from posts p join posts r on r.id = p.parent_post_id join posts q on q.id = p.replied_post_id
      where p.id >= ${from} and p.id < ${to} and r.user_id not in (p.user_id, q.user_id)
    ) n join users u on u.id = n.user_id`.execute(db);
  await sql`
    update users set notifications_made = made.last, notifications_count = notifications_count + made.n, notifications_read = made.last
    from (
      select user_id, max(no) as last, count(*) as n from notifications
      where post_id >= ${from} and post_id < ${to} group by user_id
    ) made
    where users.id = made.user_id`.execute(db);
}

async function countInFeed(tx: Tx, { steps, firstPost }: Batch, ids: FirstIds): Promise<void> {
  for (const [i, { post }] of steps.entries()) {
    if (post.replied === null) await countRootPost(tx, ids.post + firstPost + i, 1);
  }
}

/** A row of `values`. The casts are needed because PostgreSQL treats untyped parameters there as text. */
function numbers(values: number[]) {
  return sql`(${sql.join(values.map((value) => sql`cast(${value} as bigint)`))})`;
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) yield rows.slice(from, from + rowsPerStatement);
}
