-- People, posts, replies, likes. Ids are never given twice (autoincrement): what answered a deleted post must not
-- come to answer a newer one.
create table users (
  id integer primary key autoincrement,
  username text not null,
  username_key text not null unique, -- ASCII lower case
  email text not null unique,
  created_at integer not null,
  posts_count integer not null default 0,
  replies_count integer not null default 0,
  likes_count integer not null default 0 -- posts this person likes
) strict;

create table posts (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  text text not null,
  created_at integer not null,
  is_modified integer not null default 0,
  parent_post_id integer, -- root of the thread; it may have been deleted since
  replied_post_id integer, -- answered directly; null: a root post
  likes_count integer not null default 0,
  replies_count integer not null default 0
) strict;

-- The feed (null) and the replies of each post, both by id.
create index posts_by_replied on posts (replied_post_id, id);
create index root_posts_by_user on posts (user_id, id) where replied_post_id is null;
create index replies_by_user on posts (user_id, id) where replied_post_id is not null;

create table likes (
  id integer primary key autoincrement,
  post_id integer not null references posts (id),
  user_id integer not null references users (id),
  created_at integer not null,
  unique (post_id, user_id)
) strict;

create index likes_by_user on likes (user_id, id);

-- How many root posts have ids of one slot (id >> span): totals and deep pages without counting.
create table feed_counts (
  span integer not null,
  slot integer not null,
  shard integer not null,
  n integer not null,
  primary key (span, slot, shard)
) strict, without rowid;
