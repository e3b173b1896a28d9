import { sql } from 'kysely';
import { serverLimits } from '#contract/limits.ts';
import type { Database, Tx } from '../server/db/database.ts';
import { reserveIds } from '../server/db/ids.ts';
import { type History, writeHistory } from '../server/features/posts/write-history.ts';
import { peopleFor, type Step, wall } from './wall.ts';

/** Ids of the first person and the first post of the demo. */
interface FirstIds {
  user: number;
  post: number;
}

/** Steps that are written in one transaction. */
interface Batch {
  steps: readonly Step[];
  /** Numbers of the first new person and the first post in the batch. */
  firstPerson: number;
  firstPost: number;
}

/** Writes a batch. The people of the demo have read all their notifications. */
async function writeBatch(tx: Tx, batch: Batch, ids: FirstIds): Promise<void> {
  await writeHistory(tx, historyOf(batch, ids));
  await addNotifications(tx, batch, ids);
}

function historyOf({ steps, firstPerson, firstPost }: Batch, ids: FirstIds): History {
  const post = (number: number | null) => (number === null ? null : ids.post + number);
  return {
    people: steps
      .flatMap(({ joined, at }) =>
        joined.map((person) => ({ ...person, createdAt: at, newcomerUntil: at + serverLimits.newHereSeconds })),
      )
      .map((person, i) => ({ ...person, id: ids.user + firstPerson + i })),
    posts: steps.map(({ at, post: { author, text, isModified, parent, replied, depth } }, i) => ({
      id: ids.post + firstPost + i,
      userId: ids.user + author,
      text,
      createdAt: at,
      modifiedAt: isModified ? at + 60 : null,
      parentId: post(parent),
      repliedId: post(replied),
      depth,
    })),
    likes: steps.flatMap(({ at, likes }) =>
      likes.map((like) => ({ postId: ids.post + like.post, userId: ids.user + like.person, createdAt: at })),
    ),
  };
}

/** Adds the notifications. In the demo no reply is to one's own post, and all notifications are read. */
async function addNotifications({ db }: Tx, { steps, firstPost }: Batch, ids: FirstIds): Promise<void> {
  const from = ids.post + firstPost;
  const to = from + steps.length;
  await sql`
    insert into notifications (user_id, no, post_id, author_id, kind, root_post_id)
    select n.user_id, u.notifications_made + row_number() over (partition by n.user_id order by n.id), n.id, n.author_id, n.kind, n.root_id
    from (
      select q.user_id, p.id, p.user_id as author_id, 'answer' as kind, p.parent_post_id as root_id from posts p join posts q on q.id = p.replied_post_id
      where p.id >= ${from} and p.id < ${to}
      union all
      select r.user_id, p.id, p.user_id as author_id, 'followed' as kind, r.id as root_id
      from posts p join posts r on r.id = p.parent_post_id join posts q on q.id = p.replied_post_id
      where p.id >= ${from} and p.id < ${to} and r.user_id not in (p.user_id, q.user_id)
    ) n join users u on u.id = n.user_id`.execute(db);
  await sql`
    update users set notifications_made = made.last, notifications_count = notifications_count + made.n
    from (
      select user_id, max(no) as last, count(*) as n from notifications
      where post_id >= ${from} and post_id < ${to} group by user_id
    ) made
    where users.id = made.user_id`.execute(db);
  await sql`
    insert into reading_positions (user_id, list, post_id, updated_at, unread)
    select n.user_id, n.root_post_id, max(n.post_id), max(p.created_at), 0 from notifications n join posts p on p.id = n.post_id
    where n.post_id >= ${from} and n.post_id < ${to} group by n.user_id, n.root_post_id
    on conflict (user_id, list) do update set post_id = excluded.post_id, updated_at = excluded.updated_at`.execute(db);
}

/** The wall already has posts. The message is for the operator. */
export class WallNotEmpty extends Error {
  override name = 'WallNotEmpty';
}

export interface Filling {
  posts: number;
  /** Unix seconds of the newest post. */
  until: number;
  seed: number;
}

export interface Filled {
  people: number;
  posts: number;
  replies: number;
  likes: number;
}

/** Posts per transaction. Small, because each transaction blocks the writes of a server on the same SQLite file. */
const batchSize = 400;

/** Fills an empty wall. Calls `onProgress` with the number of posts after each batch. */
export async function fillWall(db: Database, filling: Filling, onProgress: (posts: number) => void): Promise<Filled> {
  const people = peopleFor(filling.posts);
  const ids = await db.tx(async (tx): Promise<FirstIds> => {
    const post = await tx.db.selectFrom('posts').select('id').limit(1).executeTakeFirst();
    if (post) throw new WallNotEmpty('The wall already has posts: the demo fills an empty one only.');
    return {
      user: await reserveIds(tx, 'users', people),
      post: await reserveIds(tx, 'posts', filling.posts),
    };
  });
  const users = await db.read.selectFrom('users').select('username_key').execute();
  const taken = users.map(({ username_key: key }) => key);

  const filled: Filled = { people: 0, posts: 0, replies: 0, likes: 0 };
  for (const steps of chunks(wall({ ...filling, taken }), batchSize)) {
    const batch: Batch = { steps, firstPerson: filled.people, firstPost: filled.posts };
    await db.tx((tx) => writeBatch(tx, batch, ids));
    for (const { joined, post, likes } of steps) {
      filled.people += joined.length;
      filled.posts += 1;
      filled.replies += post.replied === null ? 0 : 1;
      filled.likes += likes.length;
    }
    onProgress(filled.posts);
  }
  return filled;
}

function* chunks<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length === size) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
