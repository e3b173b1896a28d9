import { sql } from 'kysely';
import type { Tx } from '../server/db/database.ts';
import type { History } from '../server/features/posts/history.ts';
import { writeHistory } from '../server/features/posts/write-history.ts';
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

/** Writes a batch. The people of the demo have read all their notifications. */
export async function writeBatch(tx: Tx, batch: Batch, ids: FirstIds): Promise<void> {
  await writeHistory(tx, historyOf(batch, ids));
  await addNotifications(tx, batch, ids);
}

function historyOf({ steps, firstPerson, firstPost }: Batch, ids: FirstIds): History {
  const post = (number: number | null) => (number === null ? null : ids.post + number);
  return {
    people: steps
      .flatMap(({ joined, at }) => joined.map((person) => ({ ...person, createdAt: at })))
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
