import type { Generated } from 'kysely';

/** Both engines' tables. Times are unix seconds; flags are 0 or 1. */
export interface Schema {
  users: {
    id: Generated<number>;
    username: string;
    username_key: string;
    email: string;
    created_at: number;
    posts_count: Generated<number>;
    replies_count: Generated<number>;
    likes_count: Generated<number>;
  };
  posts: {
    id: Generated<number>;
    user_id: number;
    text: string;
    created_at: number;
    is_modified: Generated<number>;
    parent_post_id: number | null;
    replied_post_id: number | null;
    likes_count: Generated<number>;
    replies_count: Generated<number>;
  };
  likes: {
    id: Generated<number>;
    post_id: number;
    user_id: number;
    created_at: number;
  };
  feed_counts: {
    span: number;
    slot: number;
    shard: number;
    n: number;
  };
}
