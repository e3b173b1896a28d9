-- Posts of newcomers that wait for a moderator or for their time. Their ids are reserved in `posts`.
create table pending_posts (
  id integer primary key,
  user_id integer not null references users (id),
  text text not null,
  created_at integer not null,
  expires_at integer not null, -- then it appears
  parent_post_id integer, -- these may have been deleted since
  replied_post_id integer,
  depth integer not null,
  idempotency_key text -- of the call that wrote it
) strict;

create index pending_posts_by_user on pending_posts (user_id, id);
create index pending_posts_by_expiry on pending_posts (expires_at);
create index pending_posts_by_time on pending_posts (created_at);
