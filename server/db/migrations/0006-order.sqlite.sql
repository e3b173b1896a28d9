-- While somebody is blocked each of their calls is refused with the reason.
alter table users add column blocked_at integer;
alter table users add column block_reason text;

alter table reports add column settled_at integer; -- null: open

create index open_reports on reports (post_id) where settled_at is null;

-- Posts that an operator has taken off the wall. They are moved here whole, so that no query for posts can show them.
create table hidden_posts (
  id integer primary key, -- as it was, and will be again
  user_id integer not null references users (id),
  text text not null,
  created_at integer not null,
  is_modified integer not null,
  parent_post_id integer,
  replied_post_id integer,
  answered_id integer, -- to whom it was an answer, and its number there
  answer_no integer,
  hidden_at integer not null,
  reason text not null,
  with_block integer not null -- 1: hidden because its author was blocked
) strict;

create index hidden_posts_by_user on hidden_posts (user_id, hidden_at);

create table hidden_likes (
  id integer primary key, -- as it was, and will be again
  post_id integer not null references hidden_posts (id) on delete cascade,
  user_id integer not null references users (id),
  created_at integer not null
) strict;

create index hidden_likes_by_post on hidden_likes (post_id);
create index hidden_likes_by_user on hidden_likes (user_id);

-- How the operator runs the wall; what is not here is as it is by default.
create table wall_settings (
  key text primary key,
  value text not null
) strict, without rowid;

create table invites (
  code_hash text primary key,
  note text not null,
  created_at integer not null,
  used_at integer,
  used_by integer references users (id)
) strict, without rowid;

alter table operations add column invite text; -- the hash of the code that came with a registration

-- What operators have done.
create table operator_log (
  id integer primary key autoincrement,
  at integer not null,
  operator text not null,
  action text not null,
  target text,
  reason text not null,
  details text -- JSON
) strict;
