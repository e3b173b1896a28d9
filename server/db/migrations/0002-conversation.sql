-- Discussions with replies. A reply lifts its discussion: the discussion moves to the top of the list of discussions.

create table discussions (
  root_post_id integer primary key, -- may have been deleted since
  last_reply_id integer not null,
  last_reply_by integer not null,
  last_reply_at integer not null,
  other_reply_id integer, -- the last reply of anybody but last_reply_by; null: one person has replied
  other_reply_at integer,
  lift_id integer -- the reply that lifted it last; null: never lifted, or the root post is gone
) strict;

create index discussions_by_lift on discussions (lift_id) where lift_id is not null;

-- The replies that have lifted their discussions. A removed reply may be restored, so its row stays until it is gone for good.
create table lifts (
  reply_id integer primary key,
  root_post_id integer not null,
  user_id integer not null,
  created_at integer not null
) strict;

create index lifts_by_person on lifts (root_post_id, user_id, created_at);

create index replies_by_thread on posts (parent_post_id, id) where parent_post_id is not null;
drop index posts_by_thread;

insert into discussions (root_post_id, last_reply_id, last_reply_by, last_reply_at, other_reply_id, other_reply_at, lift_id)
select l.parent_post_id, l.id, l.user_id, l.created_at, o.id, o.created_at, null
from (select parent_post_id as root_id, max(id) as last_id from posts where parent_post_id is not null group by parent_post_id) t
join posts l on l.id = t.last_id
left join posts o on o.id = (
  select max(p.id) from posts p where p.parent_post_id = t.root_id and p.user_id <> l.user_id
);

-- Earlier lifts are not known. Where two people have replied within a week, the last reply counts as a lift.
insert into lifts (reply_id, root_post_id, user_id, created_at)
select last_reply_id, root_post_id, last_reply_by, last_reply_at from discussions
where other_reply_at >= last_reply_at - 604800 and root_post_id in (select id from posts);

update discussions set lift_id = last_reply_id where last_reply_id in (select reply_id from lifts);

-- The number of replies of a discussion when it was read last; null: the feed.
alter table reading_positions add column replies_seen int4;

update reading_positions set replies_seen = coalesce((select thread_count from posts where posts.id = list), 0) where list > 0;

-- Posts that people have bookmarked; nobody else sees it.
create table bookmarks (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  post_id integer not null, -- may have been removed since
  created_at integer not null,
  unique (user_id, post_id)
) strict;

create index bookmarks_by_user on bookmarks (user_id, id);
create index bookmarks_by_post on bookmarks (post_id);

-- The display name, in any alphabet, and the line that a person has written about themselves.
alter table users add column display_name text;
alter table users add column display_key text; -- to find people by the beginning of that name
alter table users add column about text;

--sqlite
create index users_by_display_name on users (display_key) where display_key is not null;
--postgres
create index users_by_display_name on users (display_key collate "C", id) where display_key is not null;
--both
