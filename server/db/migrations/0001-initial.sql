-- Times are unix seconds, flags are 0 or 1. Ids are never reused: a reply to a deleted post must not become a reply to a
-- newer one.

create table users (
  id integer primary key autoincrement,
  username text not null,
  username_key text not null unique, -- ASCII lower case
  email text not null unique,
  created_at integer not null,
  posts_count int4 not null default 0,
  replies_count int4 not null default 0,
  likes_count int4 not null default 0, -- posts this person likes
  notifications_made int4 not null default 0, -- number of the newest row in notifications
  notifications_count int4 not null default 0,
  notifications_read int4 not null default 0, -- number of the newest row that was read
  follow_replied int4 not null default 1, -- whether a reply makes its author follow the discussion
  digest text not null default 'off', -- how often a letter lists what is unread: off, daily, weekly
  digest_at integer not null default 0, -- start of the newest period for which it was decided whether to send that letter
  digest_no int4 not null default 0, -- number of the newest notification when the last one was queued
  deleted_at integer, -- hides the account and its posts; a job removes the posts and likes afterwards
  cleared_at integer, -- when that job finished; the username stays taken
  blocked_at integer, -- while set, every call of this person is refused with the reason
  block_reason text,
  role text -- moderator; null: none
) strict;

--postgres
-- The names in the order of their bytes, for lists by the beginning of a name.
create index users_by_name on users (username_key collate "C");
--both
create index blocked_users on users (id) where blocked_at is not null;
create index users_to_clear on users (id) where deleted_at is not null and cleared_at is null;

create index users_by_digest on users (digest, digest_at) where digest <> 'off';

-- Usernames that were given up. For a while nobody else can have them, and they redirect to their former owner.
create table left_usernames (
  username_key text primary key,
  user_id integer not null references users (id),
  left_at integer not null
) strict, without rowid;

create index left_usernames_by_user on left_usernames (user_id);
create index left_usernames_by_time on left_usernames (left_at);

create table posts (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  text text not null,
  created_at integer not null,
  modified_at integer, -- last change of the text; null: never changed
  parent_post_id integer, -- root of the thread; it may have been deleted since
  replied_post_id integer, -- the post this one replies to; null: a root post
  likes_count int4 not null default 0,
  replies_count int4 not null default 0,
  gaps_count int4 not null default 0, -- direct replies that are in thread_gaps
  thread_count int4 not null default 0, -- of a root post: all replies in its thread; 0 for others
  depth int4 not null default 0 -- posts between it and the start of its thread, the root counted; 0: a root post
) strict;

--sqlite
-- The feed (replied_post_id is null) and the replies to each post, both by id.
create index posts_by_replied on posts (replied_post_id, id);
--postgres
create index root_posts on posts (id) where replied_post_id is null;
create index posts_by_replied on posts (replied_post_id, id) where replied_post_id is not null;
--both
create index posts_by_thread on posts (parent_post_id) where parent_post_id is not null;
create index root_posts_by_user on posts (user_id, id) where replied_post_id is null;
create index replies_by_user on posts (user_id, id) where replied_post_id is not null;

-- A gap is the place of a deleted or removed post in its thread. It keeps the shape of the thread and has no text and no
-- author. It is deleted with its last reply, or when the post is restored.
create table thread_gaps (
  id integer primary key, -- the id of the post
  parent_post_id integer,
  replied_post_id integer,
  replies_count int4 not null,
  gaps_count int4 not null,
  thread_count int4 not null,
  depth int4 not null
) strict;

create index thread_gaps_by_replied on thread_gaps (replied_post_id, id);
create index thread_gaps_by_thread on thread_gaps (parent_post_id) where parent_post_id is not null;

--sqlite
-- The search index (server/search). It is contentless: to remove a post, the index gets the same words with which the post was
-- added, and secure-delete erases them. The program splits and stems the words; the tokenizer only splits at spaces.
create virtual table post_words using fts5 (
  words,
  content = '',
  columnsize = 0,
  detail = none,
  tokenize = 'ascii'
--postgres
-- The search index (server/search). The program splits and stems the words. Fast update is off: with it, searches would have to
-- read the list of pending entries.
create table post_words (
  post_id bigint primary key,
  words tsvector not null
--both
);

--sqlite
insert into post_words (post_words, rank) values ('secure-delete', 1);
--postgres
create index post_words_by_word on post_words using gin (words) with (fastupdate = off);
--both

-- One row: the index contains the posts from `indexed_from` on.
create table search_index (
  version int4 not null, -- of the rules by which words are split and stemmed
  indexed_from integer not null
) strict;

insert into search_index values (3, 0);

-- No foreign key to posts: many likes are moved or removed in batches after their post (see likes_to_move).
create table likes (
  id integer primary key autoincrement,
  post_id integer not null,
  user_id integer not null references users (id),
  created_at integer not null,
  unique (post_id, user_id)
) strict;

create index likes_by_user on likes (user_id, id);

-- Posts with likes that have not been moved to the table of the post's state yet.
create table likes_to_move (
  post_id integer primary key,
  post_state text not null -- shown, removed, deleted
) strict;

-- Number of root posts whose id >> span is slot, for totals and deep pages without counting rows.
create table feed_counts (
  span int4 not null,
  slot integer not null,
  shard int4 not null,
  n int4 not null,
  primary key (span, slot, shard)
) strict, without rowid;

-- Notifications. A person has at most one of each post. They are numbered per person while the person's row is locked, so a
-- higher number never becomes visible before a lower one and "read up to" skips none.
create table notifications (
  user_id integer not null references users (id),
  no integer not null,
  post_id integer not null,
  author_id integer not null,
  kind text not null, -- answer, mention, followed
  primary key (user_id, no),
  unique (post_id, user_id)
) strict, without rowid;

-- Who follows a discussion, and who has declined to. The author of the root post follows without a row.
create table follows (
  root_post_id integer not null, -- may have been deleted since
  user_id integer not null references users (id),
  following int4 not null, -- 0: declined, also when replying
  primary key (root_post_id, user_id)
) strict, without rowid;

create index follows_by_user on follows (user_id, root_post_id);

create table mutes (
  user_id integer not null references users (id),
  muted_id integer not null references users (id),
  created_at integer not null,
  primary key (user_id, muted_id)
) strict, without rowid;

-- How far each person has read the feed and discussions. A position only grows.
create table reading_positions (
  user_id integer not null references users (id),
  list integer not null, -- the root post of a discussion; 0: the feed
  post_id integer not null, -- the newest post read there; it may have been deleted since
  updated_at integer not null,
  primary key (user_id, list)
) strict, without rowid;

--sqlite
-- What happened on the wall, in the order in which it became visible. Event streams resume from a position. Later versions
-- also write the kinds ruled and pinned.
create table changes (
  position integer primary key, -- never reused, because the newest row stays
  kind text not null, -- new, changed, deleted, restored, counted
  post_id integer not null,
  owner_id integer not null,
  replied_post_id integer,
  created_at integer not null,
  root_post_id integer -- root of the thread of a reply
) strict;

-- Changes whose position is final. SQLite has one writer at a time, so all are.
create view visible_changes as select * from changes;

--postgres
-- What happened on the wall, in the order in which it became visible. Event streams resume from a position, which is the
-- number of the transaction. Standbys have this table too: a page made from a standby carries a position of the standby.
create table changes (
  position bigint not null default (pg_current_xact_id()::text::bigint),
  kind text not null, -- new, changed, deleted, restored, counted, ruled, pinned; 'read': the row that begins an empty log
  post_id bigint not null,
  owner_id bigint not null,
  replied_post_id bigint,
  created_at bigint not null,
  root_post_id bigint -- root of the thread of a reply
);

create index changes_by_position on changes (position);

-- Changes whose position is final. A transaction gets its number at its first write, so one with a lower number may still
-- be writing.
create view visible_changes as
  select * from changes where position < pg_snapshot_xmin(pg_current_snapshot())::text::bigint;

-- Tags of what transactions have changed. Other processes read them several times a second and outdate cached responses.
-- The table is unlogged because a process that may have missed rows empties its caches.
create unlogged table announcements (
  position xid8 not null default pg_current_xact_id(),
  origin uuid not null, -- of the process that wrote the row
  tags text not null -- JSON
);

create index announcements_by_position on announcements (position);

--both
-- Posts by the idempotency key of the request that created them.
create table idempotency_keys (
  key text primary key, -- user id and key
  post_id integer, -- null only inside the transaction that writes the post
  created_at integer not null
--sqlite
) strict; -- with row ids, the index by time grows at its end
--postgres
);
--both

create index idempotency_keys_by_time on idempotency_keys (created_at);

-- A report contains the text at that time; the post may be changed or deleted later.
create table reports (
  id integer primary key autoincrement,
  post_id integer not null,
  user_id integer not null references users (id),
  owner_id integer not null,
  reason_id text not null,
  text text not null,
  created_at integer not null,
  settled_at integer, -- null: open
  settled_by integer, -- the entry in operator_log
  unique (post_id, user_id)
) strict;

create index reports_by_post on reports (post_id, id);
create index open_reports on reports (post_id, id) where settled_at is null;
create index waiting_reports on reports (id) where settled_at is null;
create index open_reports_by_owner on reports (owner_id) where settled_at is null;

-- Posts removed by a moderator, and for five minutes those deleted by their authors. The whole row moves here, so no query
-- for posts can return it.
create table removed_posts (
  id integer primary key, -- the id it had and gets back when restored
  user_id integer not null references users (id),
  text text not null,
  created_at integer not null,
  modified_at integer,
  parent_post_id integer,
  replied_post_id integer,
  depth int4 not null,
  removed_at integer not null,
  reason text not null,
  with_block int4 not null, -- 1: removed because its author was blocked
  by_author int4 not null default 0 -- 1: deleted by its author, who can undo that; a job deletes the row
) strict;

create index removed_posts_by_user on removed_posts (user_id, removed_at);
create index removed_posts_by_author on removed_posts (user_id, id);
create index deleted_posts on removed_posts (removed_at) where by_author = 1;

create table removed_likes (
  id integer primary key, -- the id it had and gets back when restored
  post_id integer not null,
  user_id integer not null references users (id),
  created_at integer not null,
  unique (post_id, user_id)
) strict;

create index removed_likes_by_user on removed_likes (user_id);

-- Notifications of removed posts. They keep their numbers and return with them.
create table removed_notifications (
  user_id integer not null references users (id),
  no integer not null,
  post_id integer not null,
  author_id integer not null,
  kind text not null, -- answer, mention, followed
  primary key (user_id, no),
  unique (post_id, user_id)
) strict, without rowid;

-- Operator's settings of the wall. A missing key means the default.
create table wall_settings (
  key text primary key,
  value text not null
) strict, without rowid;

create table invites (
  id integer primary key autoincrement,
  code_hash text not null unique,
  note text not null,
  created_at integer not null,
  used_at integer,
  used_by integer references users (id)
) strict;

-- The journal: acts of operators and moderators.
create table operator_log (
  id integer primary key autoincrement,
  at integer not null,
  operator text not null, -- the name at that time
  moderator_id integer, -- null: an operator, from the command line
  action text not null,
  target text,
  target_id integer, -- id of the post or person
  reason text not null,
  details text, -- JSON
  ended_by integer -- the later entry that reversed it
) strict;

-- Acts that a later act can undo.
create index acts_in_effect on operator_log (target_id, action) where ended_by is null;

-- Sign-ins, registrations and other actions that wait for a code. A row is removed when its code is used, replaced or
-- expired.
create table operations (
  id text primary key, -- 128 random bits
  purpose text not null,
  email text not null,
  user_id integer references users (id) on delete cascade, -- the account to change; null at sign-in
  client_token text not null,
  device text not null, -- JSON
  code_hash text not null,
  attempts int4 not null default 0,
  created_at integer not null,
  expires_at integer not null,
  invite text, -- hash of the invite code of a registration
  consent text -- hash of the consent that came with a registration
) strict, without rowid;

create index operations_by_address on operations (email, purpose, client_token);
create index operations_by_expiry on operations (expires_at);

-- Changes of an account's email address that a link mailed to the previous address can undo.
create table email_changes (
  token_hash text primary key,
  user_id integer not null references users (id),
  email text not null, -- the previous address
  new_email text, -- of an operator's change that has not taken effect yet: it does when the link expires
  created_at integer not null,
  expires_at integer not null,
  used_at integer -- when the link was used
) strict, without rowid;

create index email_changes_by_user on email_changes (user_id);
create index email_changes_by_address on email_changes (email);
create index email_changes_by_expiry on email_changes (expires_at);
create index waiting_email_changes on email_changes (expires_at) where new_email is not null;

-- Mail to send. The content is encrypted: the database never holds a code in the clear.
create table outbox (
  id integer primary key autoincrement,
  operation_id text unique,
  recipient text not null,
  sealed text not null,
  state text not null default 'sending', -- sending, delayed, accepted, refused
  attempts int4 not null default 0,
  next_try_at integer, -- null: settled
  give_up_at integer not null
) strict;

create index outbox_by_next_try on outbox (next_try_at) where next_try_at is not null;
create index codes_by_next_try on outbox (next_try_at) where next_try_at is not null and operation_id is not null;
create index outbox_by_end on outbox (give_up_at);

create table sessions (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  cookie_hash text not null unique,
  client_token text not null,
  device text not null, -- JSON
  created_at integer not null,
  last_active_at integer not null,
  new_device int4 not null default 0, -- 1: opened on a device unknown to the account and not confirmed by a code since
  moderation_until integer -- a code confirmed the moderator until then
) strict;

create index sessions_by_user on sessions (user_id, last_active_at);
create index sessions_by_activity on sessions (last_active_at);

-- API tokens, with which programs act for a person. A token ends when its owner ends it or all sessions of the person are ended.
create table program_tokens (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  token_hash text not null unique,
  name text not null,
  scope text not null, -- read, write
  created_at integer not null,
  last_used_at integer, -- to the hour; null: never
  expires_at integer not null -- a year after the last use
) strict;

create index program_tokens_by_user on program_tokens (user_id, id);
create index program_tokens_by_expiry on program_tokens (expires_at);

-- Which version of consent.md a person has agreed to. Kept for three years after the account is deleted.
create table consents (
  user_id integer not null references users (id),
  document_hash text not null, -- SHA-256 of the file
  at integer not null,
  primary key (user_id, document_hash)
) strict, without rowid;

-- Browsers that have signed in to an account before.
create table known_devices (
  user_id integer not null references users (id) on delete cascade,
  cookie_hash text not null,
  last_used_at integer not null,
  primary key (user_id, cookie_hash)
) strict, without rowid;

create index known_devices_by_use on known_devices (last_used_at);

-- Uses of each limited action: unix seconds, oldest first, as a JSON array.
create table budgets (
  key text primary key,
  hits text not null,
  expires_at integer not null
) strict, without rowid;

create index budgets_by_expiry on budgets (expires_at);

-- Scheduled work. Each job is run by one process at a time.
create table jobs (
  name text not null,
  key text not null, -- a job is scheduled once per name and key
  payload text not null, -- JSON
  run_at integer not null,
  locked_by text, -- identifies the run that holds the job; null: not running
  locked_until integer, -- afterwards another process may run it
  attempts int4 not null default 0, -- runs started since it was scheduled
  failures int4 not null default 0, -- failed runs since the last one that succeeded
  primary key (name, key)
) strict, without rowid;

create index jobs_by_time on jobs (name, run_at);
