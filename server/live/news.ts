import type { Kysely } from 'kysely';
import type { Changes } from '#contract/live.ts';
import type { Schema } from '../db/schema.ts';
import { type ChangeRow, findLifted, findStates } from './change-log.ts';

/** The part of the changes that only one person gets. */
export type Own = Pick<Changes, 'unread' | 'reading'>;

/** The changes up to a position. Replies are filtered for each subscriber. */
export type News = Omit<Changes, 'position' | keyof Own> & { position: number };

/** Merges the changes of each post. */
export async function newsOf(db: Kysely<Schema>, rows: readonly ChangeRow[]): Promise<News> {
  const of = (kind: ChangeRow['kind']) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.post_id));
  const [withdrawn, restorations, changed] = [of('deleted'), of('restored'), of('changed')];
  const counted = new Set(rows.flatMap(countedBy));
  const replies = rows.filter(({ kind, replied_post_id: repliedTo }) => kind === 'new' && repliedTo !== null);
  const lifted = await findLifted(
    db,
    replies.map(({ post_id: id }) => id),
  );
  const states = await findStates(db, [...changed.union(counted).union(withdrawn)]);
  const visible = new Set(states.map(({ id }) => id));
  // A withdrawn post may have been restored since, and a restored one withdrawn again.
  const deleted = withdrawn.difference(visible);
  const restored = restorations.intersection(visible);
  const born = rows.filter(({ kind, post_id }) => kind === 'new' && !deleted.has(post_id));
  return {
    position: rows.at(-1)!.position,
    reset: false,
    posts: born.filter((row) => row.replied_post_id === null).map(authored),
    replies: born
      .filter((row) => row.replied_post_id !== null)
      .map((row) => ({
        ...authored(row),
        replied_post_id: String(row.replied_post_id),
        parent_post_id: String(row.root_post_id),
      })),
    changed: states
      .filter(({ id }) => changed.has(id))
      .map(({ id, text, modified_at: at }) => ({
        id: String(id),
        text,
        is_modified: at !== null,
        ...(at !== null && { modified_at: at }),
      })),
    deleted: [...deleted].map(String),
    ...(lifted.length > 0 && { lifted: lifted.map(String) }),
    ...(restored.size > 0 && { restored: [...restored].map(String) }),
    counts: states
      .filter(({ id }) => counted.has(id))
      .map(({ id, likes_count, replies_count, thread_count, replied_post_id: repliedTo }) => ({
        id: String(id),
        likes_count,
        replies_count,
        thread_count: repliedTo === null ? thread_count : null,
      })),
  };
}

/** The part of the news for one subscriber. */
export function changesFor(watched: readonly string[], news: News, own?: Own): Changes {
  return { ...news, replies: repliesFor(watched, news), position: String(news.position), ...own };
}

export const repliesFor = (watched: readonly string[], { replies }: News): Changes['replies'] =>
  replies.filter(
    ({ replied_post_id: repliedTo, parent_post_id: rootId }) => watched.includes(repliedTo) || watched.includes(rootId),
  );

/** Whether there is nothing for people who get nothing of their own. */
export const isEmpty = ({ reset, posts, replies, changed, deleted, restored = [], counts }: News): boolean =>
  !reset && [posts, replies, changed, deleted, restored, counts].every(({ length }) => length === 0);

export const nothing = {
  reset: false,
  posts: [],
  replies: [],
  changed: [],
  deleted: [],
  counts: [],
} satisfies Partial<News>;

const authored = ({ post_id, owner_id }: ChangeRow) => ({ id: String(post_id), owner_id: String(owner_id) });

/** Ids of the posts whose counts the change affects. */
function countedBy({ kind, post_id, replied_post_id, root_post_id }: ChangeRow): number[] {
  if (kind === 'counted') return [post_id];
  if (kind === 'changed') return [];
  const above = [replied_post_id, root_post_id].filter((id) => id !== null);
  return kind === 'restored' ? [post_id, ...above] : above;
}
