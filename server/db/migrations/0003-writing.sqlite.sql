-- What has happened on the wall, in the order in which it became visible: readers of events go on where they were.
create table changes (
  position integer primary key, -- never given twice: the newest row stays
  kind text not null, -- new, changed, deleted, counted
  post_id integer not null,
  owner_id integer not null,
  replied_post_id integer,
  created_at integer not null
) strict;

-- Whose transactions have ended and of which none can come before them any more: here one writes after another.
create view visible_changes as select * from changes;

-- Posts by the key that came with them: sent again they are not written again.
create table idempotency_keys (
  key text primary key, -- user id and key
  post_id integer, -- null only inside the transaction that writes the post
  created_at integer not null
) strict, without rowid;

create index idempotency_keys_by_time on idempotency_keys (created_at);

-- The text as it was reported, whatever becomes of the post.
create table reports (
  id integer primary key autoincrement,
  post_id integer not null,
  user_id integer not null references users (id),
  owner_id integer not null,
  reason_id text not null,
  text text not null,
  created_at integer not null,
  unique (post_id, user_id)
) strict;
