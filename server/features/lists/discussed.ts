import { type Kysely, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { LastReply, Post } from '#contract/posts.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import type { Slice } from './list-pages.ts';
import { nameColumns, type Names, ownerOf, type PostRow, selectAuthored, toPost } from '../posts/post-rows.ts';

// Only root posts have discussions. If the query also said so, SQLite would read all root posts of the wall first.
const byLift = prepared<Slice, PostRow & { key: number; lifted_by: number }>((db, slot) =>
  selectAuthored(db)
    .innerJoin('discussions as d', 'd.root_post_id', 'p.id')
    .innerJoin('lifts as l', 'l.reply_id', 'd.lift_id')
    .select(['l.reply_id as key', 'l.user_id as lifted_by'])
    .where('d.lift_id', '<', slot('from'))
    .orderBy('d.lift_id', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

interface DiscussedList {
  posts: Post[];
  /** For each post, the id of the person whose reply lifted its discussion last. */
  liftedBy: string[];
  next: number | null;
}

/** The discussions in the order of their last lifts, the newest first. */
export async function listDiscussed(
  db: Kysely<Schema>,
  { below, limit }: { below: number; limit: number },
): Promise<DiscussedList> {
  const rows = await byLift(db, { from: below, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return {
    posts: shown.map(toPost),
    liftedBy: shown.map((row) => String(row.lifted_by)),
    next: rows.length > limit ? shown.at(-1)!.key : null,
  };
}

/** A discussion with fewer replies is not active. */
const repliesAtLeast = 3;
const shownCharacters = 80;

interface LastRow extends Names {
  root_post_id: number;
  id: number;
  text: string;
  created_at: number;
  user_id: number;
}

/** Compiled for 4 and 16 discussions too: most pages have few active ones, and each parameter costs time. */
const lastReplies = preparedAmong<number, LastRow, { since: number }>([4, 16, limits.pageSizeMax], (db, roots, slot) =>
  db
    .selectFrom('discussions as d')
    .innerJoin('posts as r', 'r.id', 'd.last_reply_id')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'r.user_id').on(isNotDeleted('u')))
    .select(['d.root_post_id', 'r.id', 'r.text', 'r.created_at', 'r.user_id', ...nameColumns])
    .where('d.root_post_id', 'in', roots)
    .where('d.other_reply_id', 'is not', null)
    .where('d.last_reply_at', '>=', slot('since')),
);

/** Adds the beginning of the last reply to the root posts whose discussion is active. */
export async function addLastReplies(db: Kysely<Schema>, posts: readonly Post[], now: number): Promise<void> {
  const active: Post[] = [];
  for (const post of posts) {
    if (post.actions.replied_post_id !== null) continue;
    post.last_reply = null;
    if ((post.actions.thread_count ?? 0) >= repliesAtLeast) active.push(post);
  }
  const ids = active.map(({ id }) => Number(id));
  for (const row of await lastReplies(db, ids, { since: now - limits.lastReplySeconds })) {
    active.find(({ id }) => Number(id) === row.root_post_id)!.last_reply = toLastReply(row);
  }
}

const toLastReply = (row: LastRow): LastReply => ({
  id: String(row.id),
  owner: ownerOf(row),
  text: [...row.text].slice(0, shownCharacters).join(''),
  created_at: row.created_at,
});
