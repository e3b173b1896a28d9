import type { Generated } from 'kysely';

export type Role = 'moderator' | 'owner';

/** The tables of people, their sessions and their sign-ins. */
export interface AccountTables {
  users: {
    id: Generated<number>;
    username: string;
    username_key: string;
    email: string;
    created_at: number;
    posts_count: Generated<number>;
    replies_count: Generated<number>;
    likes_count: Generated<number>;
    last_post_id: Generated<number>;
    notifications_made: Generated<number>;
    notifications_count: Generated<number>;
    unread_count: Generated<number>;
    unseen_removals: Generated<number>;
    follow_replied: Generated<number>;
    digest: Generated<'off' | 'daily' | 'weekly'>;
    digest_at: Generated<number>;
    digest_no: Generated<number>;
    best_weekly: Generated<number>;
    best_at: Generated<number>;
    replies_at_once: Generated<number>;
    answers_at: Generated<number>;
    answers_no: Generated<number>;
    wall_daily: Generated<number>;
    wall_daily_at: Generated<number>;
    wall_daily_id: Generated<number>;
    file_monthly: Generated<number>;
    file_at: Generated<number>;
    deleted_at: number | null;
    cleared_at: number | null;
    blocked_at: number | null;
    block_reason: string | null;
    invited_by: number | null;
    invites_ended_at: number | null;
    blocked_until: number | null;
    warning: string | null;
    role: Role | null;
    display_name: string | null;
    display_key: string | null;
    about: string | null;
    face: string | null;
    newcomer_until: number | null;
    name_skeleton: string | null;
    is_namesake: Generated<number>;
    name_put_off_at: Generated<number>;
  };
  left_usernames: { username_key: string; user_id: number; left_at: number };
  operations: {
    id: string;
    purpose: string;
    email: string;
    user_id: number | null;
    client_token: string;
    device: string;
    code_hash: string;
    attempts: Generated<number>;
    created_at: number;
    expires_at: number;
    invite: string | null;
    consent: string | null;
  };
  email_changes: {
    token_hash: string;
    user_id: number;
    email: string;
    new_email: string | null;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  outbox: {
    id: Generated<number>;
    operation_id: string | null;
    recipient: string;
    sealed: string;
    state: Generated<'sending' | 'delayed' | 'accepted' | 'refused'>;
    attempts: Generated<number>;
    next_try_at: number | null;
    give_up_at: number;
    /** A number of `mailKinds`. */
    kind: Generated<number>;
  };
  sessions: {
    id: Generated<number>;
    user_id: number;
    cookie_hash: string;
    client_token: string;
    device: string;
    created_at: number;
    last_active_at: number;
    moderation_until: number | null;
  };
  push_subscriptions: {
    session_id: number;
    user_id: number;
    endpoint: string;
    p256dh: string;
    auth: string;
    hides_text: number;
  };
  pushes: {
    session_id: number;
    root_post_id: number;
    post_id: number | null;
    due_at: number;
    tries: Generated<number>;
  };
  program_tokens: {
    id: Generated<number>;
    user_id: number;
    token_hash: string;
    name: string;
    scope: 'read' | 'write' | 'feed';
    created_at: number;
    last_used_at: number | null;
    expires_at: number;
  };
  consents: { user_id: number; document_hash: string; at: number };
  known_devices: { user_id: number; cookie_hash: string; last_used_at: number };
  budgets: { key: string; hits: string; expires_at: number };
}
