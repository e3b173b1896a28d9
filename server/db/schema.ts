import type { ColumnType, Generated, Selectable } from 'kysely';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { BestPeriod } from '#contract/posts.ts';
import type { DiscussionRules } from '#contract/reply-rules.ts';
import type { AccountTables } from './account-tables.ts';

/** The tables of both engines. Times are unix seconds; flags are 0 or 1. */
export interface Schema extends AccountTables {
  /** Posts in every state, and the places of posts that are gone. Few files may name this table: see `scripts/lint-imports.mjs`. */
  all_posts: OrGone<Post> &
    Counts &
    Removal & {
      state: Generated<number>;
      /** 1: a shown post, or a gap in its thread. */
      is_place: Generated<number>;
      /** Direct replies that are no places. */
      hidden_count: Generated<number>;
    };
  /** The shown posts. */
  posts: View<Post & Counts>;
  /** The posts that keepers have removed. */
  removed_posts: View<Post & Omit<Removal, 'removed_at'> & { removed_at: number }>;
  discussions: {
    root_post_id: number;
    last_reply_id: number;
    last_reply_by: number;
    last_reply_at: number;
    other_reply_id: number | null;
    other_reply_at: number | null;
    lift_id: number | null;
  };
  first_posts: { post_id: number; created_at: number };
  pending_posts: Written & {
    id: number;
    expires_at: number;
    depth: number;
    idempotency_key: string | null;
  };
  best_posts: { post_id: number; period: BestPeriod; people: number; ends_at: number | null };
  lifts: { reply_id: number; root_post_id: number; user_id: number; created_at: number };
  /** The columns differ by engine; `server/search` knows them. */
  post_words: {
    /** The id of the post, on SQLite only. */
    rowid: Generated<number>;
    /** A command to the index, on SQLite only. */
    post_words: Generated<string>;
    /** On PostgreSQL only. */
    post_id: Generated<number>;
    words: string;
  };
  search_index: { version: number; indexed_from: number };
  /** Without a foreign key to posts. The comment of migration 1, which names `likes_to_move`, is that of a table that is gone. */
  likes: Like & { id: Generated<number> };
  notifications: Notification;
  follows: { root_post_id: number; user_id: number; following: number };
  followed_authors: { user_id: number; author_id: number; after_id: number; created_at: number };
  carries: {
    id: string;
    user_id: number | null;
    of_id: number | null;
    with_others: number;
    year: number | null;
    state: Generated<'making' | 'ready'>;
    made_at: number;
    expires_at: number;
    total: Generated<number>;
    done: Generated<number>;
    below_id: number | null;
  };
  carry_parts: { carry_id: string; no: number; part: string };
  words: { user_id: number; word: string; kind: 'follow' | 'hide'; lexeme: string };
  mutes: { user_id: number; muted_id: number; created_at: number };
  bookmarks: { id: Generated<number>; user_id: number; post_id: number; created_at: number };
  shared_posts: { post_id: number };
  gated_posts: { post_id: number };
  reading_positions: {
    user_id: number;
    list: number;
    post_id: number;
    updated_at: number;
    unread: Generated<number | null>;
  };
  feed_counts: {
    span: number;
    slot: number;
    shard: number;
    n: number;
  };
  /** On PostgreSQL a higher position may become visible before a lower one, so readers use `visible_changes`. */
  changes: Change & { position: Generated<number> };
  /** Changes whose position is final. */
  visible_changes: Change & { position: number };
  /** PostgreSQL only. */
  announcements: { origin: string; tags: string };
  idempotency_keys: {
    key: string;
    post_id: number | null;
    created_at: number;
  };
  reports: {
    id: Generated<number>;
    post_id: number;
    user_id: number;
    owner_id: number;
    reason_id: string;
    text: string;
    comment: string | null;
    told_at: number | null;
    created_at: number;
    settled_at: number | null;
    settled_by: number | null;
  };
  wall_settings: { key: string; value: string };
  invites: {
    id: Generated<number>;
    code_hash: string;
    note: string;
    created_at: number;
    used_at: number | null;
    used_by: number | null;
    seats: Generated<number>;
    used: Generated<number>;
    made_by: number | null;
    by_member: Generated<number>;
  };
  operator_log: {
    id: Generated<number>;
    at: number;
    operator: string;
    moderator_id: number | null;
    action: string;
    target: string | null;
    target_id: number | null;
    reason: string;
    details: string | null;
    ended_by: number | null;
  };
  jobs: {
    name: string;
    key: string;
    payload: string;
    run_at: number;
    locked_by: string | null;
    locked_until: number | null;
    attempts: Generated<number>;
    failures: Generated<number>;
  };
}

/** Columns that can be read and not written. */
type View<Table> = { [Column in keyof Selectable<Table>]: ColumnType<Selectable<Table>[Column], never, never> };

/** A post that is gone has no text and no author. */
type OrGone<Table> = Omit<Table, 'user_id' | 'text'> & { user_id: number | null; text: string | null };

type Rules = { [Column in keyof DiscussionRules]: Generated<DiscussionRules[Column]> };

type Post = Written &
  Rules & {
    id: Generated<number>;
    modified_at: Generated<number | null>;
    depth: Generated<number>;
  };

interface Counts {
  likes_count: Generated<number>;
  /** Direct replies that are shown. */
  replies_count: Generated<number>;
  /** Direct replies that are gaps. */
  gaps_count: Generated<number>;
  /** Of a root post: the shown replies in its thread. */
  thread_count: Generated<number>;
}

/** What is known of a withdrawn post. `reason`, `unseen` and `told_at` are only set in a removal. */
interface Removal {
  removed_at: Generated<number | null>;
  reason: Generated<string>;
  with_block: Generated<number>;
  unseen: Generated<number>;
  told_at: Generated<number | null>;
}

interface Written {
  user_id: number;
  text: string;
  created_at: number;
  parent_post_id: number | null;
  replied_post_id: number | null;
}

interface Like {
  post_id: number;
  user_id: number;
  created_at: number;
}

interface Notification {
  user_id: number;
  no: number;
  post_id: number;
  author_id: number;
  kind: NotificationKind;
  root_post_id: number;
  told: Generated<number>;
}

interface Change {
  /** `ruled`: the rule about replies to a root post was changed. `pinned`: another post or none is pinned. */
  kind: 'new' | 'changed' | 'deleted' | 'restored' | 'counted' | 'ruled' | 'pinned';
  post_id: number;
  owner_id: number;
  replied_post_id: number | null;
  created_at: number;
  root_post_id: number | null;
}
