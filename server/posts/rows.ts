import type { Kysely } from 'kysely';
import type { Post, QuotedPost } from '#contract/posts.ts';
import type { Tag } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

/** A post with its author. */
interface AuthoredRow {
  id: number;
  text: string;
  created_at: number;
  is_modified: number;
  user_id: number;
  username: string;
  likes_count: number;
  replies_count: number;
}

/** What a post answers. */
interface AnsweredColumns {
  parent_post_id: number | null;
  replied_post_id: number | null;
  q_id: number | null;
  q_text: string | null;
  q_created_at: number | null;
  q_is_modified: number | null;
  q_user_id: number | null;
  q_username: string | null;
  q_likes_count: number | null;
  q_replies_count: number | null;
  q_parent_post_id: number | null;
  q_replied_post_id: number | null;
}

/** A post with its author and, unless it is a root post, what it answers, in one row. */
export type PostRow = AuthoredRow & Partial<AnsweredColumns>;

/** Root posts, `from posts as p …`: callers add where, order and limit. */
export function selectRootPosts(db: Kysely<Schema>) {
  return selectAuthored(db).where('p.replied_post_id', 'is', null);
}

/** Posts of both kinds. Looking for what root posts answer would double the price of a feed page. */
export function selectPosts(db: Kysely<Schema>) {
  return selectAuthored(db)
    .leftJoin('posts as q', 'q.id', 'p.replied_post_id')
    .leftJoin('users as qu', (join) => join.onRef('qu.id', '=', 'q.user_id').on('qu.deleted_at', 'is', null))
    .select([
      'p.parent_post_id',
      'p.replied_post_id',
      'q.id as q_id',
      'q.text as q_text',
      'q.created_at as q_created_at',
      'q.is_modified as q_is_modified',
      'q.user_id as q_user_id',
      'qu.username as q_username',
      'q.likes_count as q_likes_count',
      'q.replies_count as q_replies_count',
      'q.parent_post_id as q_parent_post_id',
      'q.replied_post_id as q_replied_post_id',
    ]);
}

function selectAuthored(db: Kysely<Schema>) {
  return db
    .selectFrom('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on('u.deleted_at', 'is', null))
    .select([
      'p.id',
      'p.text',
      'p.created_at',
      'p.is_modified',
      'p.user_id',
      'u.username',
      'p.likes_count',
      'p.replies_count',
    ]);
}

const idOrNull = (id: number | null = null): string | null => (id === null ? null : String(id));

/** The post as a visitor sees it. */
export function toPost(row: PostRow): Post {
  return {
    id: String(row.id),
    text: row.text,
    created_at: row.created_at,
    is_modified: row.is_modified === 1,
    owner: { id: String(row.user_id), username: row.username },
    actions: {
      is_liked: false,
      likes_count: row.likes_count,
      replies_count: row.replies_count,
      parent_post_id: idOrNull(row.parent_post_id),
      replied_post_id: idOrNull(row.replied_post_id),
      replied_post: row.q_username ? toQuoted(row) : null,
    },
  };
}

/** Only for a row whose answered post is there: then none of its columns is null but the two ids. */
function toQuoted(row: PostRow): QuotedPost {
  return {
    id: String(row.q_id),
    text: row.q_text!,
    created_at: row.q_created_at!,
    is_modified: row.q_is_modified === 1,
    owner: { id: String(row.q_user_id), username: row.q_username! },
    actions: {
      is_liked: false,
      likes_count: row.q_likes_count!,
      replies_count: row.q_replies_count!,
      parent_post_id: idOrNull(row.q_parent_post_id),
      replied_post_id: idOrNull(row.q_replied_post_id),
      replied_post: null,
    },
  };
}

/** Everything whose change makes these posts look different. */
export function tagsOf(posts: readonly Post[]): Tag[] {
  return posts.flatMap((post) => {
    const quoted = post.actions.replied_post;
    return quoted ? [...ownTags(post), ...ownTags(quoted)] : ownTags(post);
  });
}

const ownTags = ({ id, owner }: Pick<Post, 'id' | 'owner'>): Tag[] => [
  `post:${Number(id)}`,
  `user:${Number(owner.id)}`,
];
