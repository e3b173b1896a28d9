import { type Kysely, sql } from 'kysely';
import type { FollowedDiscussion } from '#contract/notifications.ts';
import type { Aside } from '#contract/posts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { postsOfFollowed } from './followed-authors.ts';
import type { Slice } from '../lists/list-pages.ts';
import { hasNotMuted } from '../../db/visibility.ts';
import { type PostRow, selectAuthored, selectPosts, toPost } from '../posts/post-rows.ts';
import { asideLines, toLine } from '../posts/post-rules.ts';

type FollowedRow = PostRow & { key: number; last_reply_at: number; unread: number | null };

/** The root posts that a person follows: with a row in `follows`, or as the author unless a row says otherwise. */
const selectFollowed = (db: Kysely<Schema>, userId: number) =>
  selectAuthored(db)
    .innerJoin('discussions as d', 'd.root_post_id', 'p.id')
    .leftJoin('reading_positions as r', (join) =>
      join.on('r.user_id', '=', userId).onRef('r.list', '=', 'd.root_post_id'),
    )
    .select(['d.last_reply_id as key', 'd.last_reply_at', 'r.unread'])
    .where('d.root_post_id', 'in', (eb) =>
      eb
        .selectFrom('follows as f')
        .select('f.root_post_id as id')
        .where('f.user_id', '=', userId)
        .where('f.following', '=', 1)
        .union(
          eb
            .selectFrom('posts as own')
            .select('own.id')
            .where('own.user_id', '=', userId)
            .where('own.replied_post_id', 'is', null)
            .where('own.thread_count', '>', 0)
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('follows as declined')
                    .select('declined.following')
                    .whereRef('declined.root_post_id', '=', 'own.id')
                    .where('declined.user_id', '=', userId)
                    .where('declined.following', '=', 0),
                ),
              ),
            ),
        ),
    )
    .orderBy('d.last_reply_id', 'desc');

const followed = prepared<Slice & { userId: number }, FollowedRow>((db, slot) =>
  selectFollowed(db, slot('userId'))
    .where('d.last_reply_id', '<', slot('from'))
    .limit(sql<number>`${slot('limit')} + 0`),
);

const withNews = prepared<{ userId: number; limit: number }, FollowedRow>((db, slot) =>
  selectFollowed(db, slot('userId'))
    .where(sql<boolean>`r.unread > 0`)
    .limit(sql<number>`${slot('limit')} + 0`),
);

/**
 * The posts and replies of whose words the person was notified, the newest first, except those in discussions that the person
 * follows: `followed` lists these by their last reply.
 */
const ofWords = prepared<Slice & { userId: number }, PostRow & { key: number; unread: number | null }>((db, slot) =>
  selectPosts(db)
    .innerJoin('notifications as n', 'n.post_id', 'p.id')
    .leftJoin('reading_positions as r', (join) =>
      join.on('r.user_id', '=', slot('userId')).onRef('r.list', '=', 'n.root_post_id'),
    )
    .select(['p.id as key', 'r.unread'])
    .where('n.user_id', '=', slot('userId'))
    .where('n.kind', '=', sql.lit('word'))
    .where('n.post_id', '<', slot('from'))
    .where(hasNotMuted(slot('userId'), sql.ref('n.author_id')))
    .where(
      sql<boolean>`not exists (
        select 1 from discussions d join posts o on o.id = d.root_post_id
        where d.root_post_id = n.root_post_id and 1 = coalesce(
          (select f.following from follows f where f.root_post_id = d.root_post_id and f.user_id = ${slot('userId')}),
          case when o.user_id = ${slot('userId')} then 1 end))`,
    )
    .orderBy('n.post_id', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

export interface FollowedList {
  discussions: FollowedDiscussion[];
  next: number | null;
}

/** Merges followed discussions, ordered by last reply, with the posts of followed authors and words; the newest first. */
export async function listFollowed(
  db: Kysely<Schema>,
  { userId, below, limit }: { userId: number; below: number; limit: number },
): Promise<FollowedList> {
  const slice = { userId, from: below, limit: limit + 1 };
  const [lifted, ofAuthors, found] = await Promise.all([
    followed(db, slice),
    postsOfFollowed(db, slice),
    ofWords(db, slice),
  ]);
  const written = new Set(ofAuthors.map(({ key }) => key));
  const items = [
    ...lifted.map((row) => ({ row, reason: 'discussion' as const, last_reply_at: row.last_reply_at })),
    ...ofAuthors.map((row) => ({ row, reason: 'author' as const, last_reply_at: row.created_at })),
    ...found
      .filter(({ key }) => !written.has(key))
      .map((row) => ({ row, reason: 'word' as const, last_reply_at: row.created_at })),
  ];
  // Both keys are ids of posts.
  const rows = items.toSorted((a, b) => b.row.key - a.row.key);
  const shown = rows.slice(0, limit);
  const discussions = shown.map(({ row, ...rest }) => ({ post: toPost(row), new_count: newIn(row), ...rest }));
  return { discussions, next: rows.length > limit ? shown.at(-1)!.row.key : null };
}

const newIn = (row: Pick<FollowedRow, 'unread'>): number => row.unread ?? 0;

/** The followed discussions that have news, as lines of the right column. */
export async function listNews(db: Kysely<Schema>, userId: number): Promise<Aside['following']> {
  const rows = await withNews(db, { userId, limit: asideLines });
  return rows.map((row) => ({ ...toLine(row), new_count: newIn(row) }));
}
