import type { Kysely } from 'kysely';
import type { Changes } from '#contract/events.ts';
import type { Schema } from '../db/schema.ts';
import { type ChangeRow, changesAfter, findStates, latestPosition, reachesBackTo } from './store.ts';

/** What has happened up to a position, for everybody; whoever watches posts is told of their replies alone. */
export type News = Omit<Changes, 'position' | 'unread'> & {
  position: number;
  /** Whose unread answers may have changed. */
  answered: ReadonlySet<number>;
};

/** Whoever missed more reads the wall anew. */
const toldAtMost = 5_000;

/** What came after a position; without one, where one may go on from. */
export async function newsSince(db: Kysely<Schema>, after: number | undefined): Promise<News> {
  const latest = await latestPosition(db);
  if (after === undefined || after === latest) return { ...nothing, position: latest };
  const rows = after < latest && (await reachesBackTo(db, after)) && (await changesAfter(db, after, toldAtMost));
  return rows ? newsOf(db, rows) : { ...nothing, position: latest, reset: true };
}

/** Many changes of one post are told as one. */
export async function newsOf(db: Kysely<Schema>, rows: readonly ChangeRow[]): Promise<News> {
  const removed = new Set(rows.filter(({ kind }) => kind === 'deleted').map((row) => row.post_id));
  const changed = new Set(rows.filter(({ kind }) => kind === 'changed').map((row) => row.post_id));
  const counted = new Set(rows.flatMap(countedBy));
  const states = await findStates(db, [...changed.union(counted).union(removed)]);
  // A hidden post may have been restored since.
  const deleted = removed.difference(new Set(states.map(({ id }) => id)));
  const born = rows.filter(({ kind, post_id }) => kind === 'new' && !deleted.has(post_id));
  return {
    position: rows.at(-1)!.position,
    answered: new Set(rows.flatMap(({ answered_id: id }) => id ?? [])),
    reset: false,
    posts: born.filter((row) => row.replied_post_id === null).map(authored),
    replies: born
      .filter((row) => row.replied_post_id !== null)
      .map((row) => ({ ...authored(row), replied_post_id: String(row.replied_post_id) })),
    changed: states
      .filter(({ id }) => changed.has(id))
      .map(({ id, text, is_modified }) => ({ id: String(id), text, is_modified: is_modified === 1 })),
    deleted: [...deleted].map(String),
    counts: states
      .filter(({ id }) => counted.has(id))
      .map(({ id, likes_count, replies_count }) => ({ id: String(id), likes_count, replies_count })),
  };
}

/** As one reader hears it. */
export function heardBy(watched: readonly string[], { answered: _, ...news }: News, unread?: number): Changes {
  const replies = news.replies.filter((reply) => watched.includes(reply.replied_post_id));
  return { ...news, replies, position: String(news.position), ...(unread !== undefined && { unread }) };
}

/** Whether it is nothing but what single people have read. */
export const isPrivate = ({ reset, posts, replies, changed, deleted, counts }: News): boolean =>
  !reset && [posts, replies, changed, deleted, counts].every(({ length }) => length === 0);

export const nothing = {
  answered: new Set<number>(),
  reset: false,
  posts: [],
  replies: [],
  changed: [],
  deleted: [],
  counts: [],
} satisfies Partial<News>;

const authored = ({ post_id, owner_id }: ChangeRow) => ({ id: String(post_id), owner_id: String(owner_id) });

/** The post whose counts a change has changed. */
function countedBy({ kind, post_id, replied_post_id }: ChangeRow): number[] {
  if (kind === 'counted') return [post_id];
  return kind !== 'changed' && replied_post_id !== null ? [replied_post_id] : [];
}
