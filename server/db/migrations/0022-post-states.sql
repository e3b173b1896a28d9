-- Withdrawn posts. The rules for replies of one with a gap may have changed in the gap.
insert into all_posts (
  id, user_id, text, created_at, modified_at, parent_post_id, replied_post_id, depth, pace, closed_by,
  replies_count, gaps_count, thread_count, state, is_place, removed_at, reason, with_block, unseen, told_at
)
select
  r.id, r.user_id, r.text, r.created_at, r.modified_at, r.parent_post_id, r.replied_post_id, r.depth,
  case when g.id is null then r.pace else g.pace end, case when g.id is null then r.closed_by else g.closed_by end,
  coalesce(g.replies_count, 0), coalesce(g.gaps_count, 0), coalesce(g.thread_count, 0),
  case r.by_author when 1 then 1 else 2 end, case when g.id is null then 0 else 1 end,
  r.removed_at, r.reason, r.with_block, r.unseen, r.told_at
from removed_posts r left join thread_gaps g on g.id = r.id;

-- The places of posts that are gone.
insert into all_posts (
  id, created_at, parent_post_id, replied_post_id, depth, pace, closed_by, replies_count, gaps_count, thread_count, state
)
select id, 0, parent_post_id, replied_post_id, depth, pace, closed_by, replies_count, gaps_count, thread_count, 3
from thread_gaps
where not exists (select 1 from removed_posts r where r.id = thread_gaps.id);

-- A withdrawn reply may be below a post that has no row. Nobody knows the place of such a post, so it is put directly below the root.
insert into all_posts (id, created_at, parent_post_id, replied_post_id, depth, state, is_place)
select replied_post_id, 0, min(parent_post_id), min(parent_post_id), max(depth) - 1, 3, 0
from all_posts p
where replied_post_id <> parent_post_id and not exists (select 1 from all_posts a where a.id = p.replied_post_id)
group by replied_post_id;

insert into all_posts (id, created_at, depth, state, is_place)
select distinct parent_post_id, 0, 0, 3, 0
from all_posts p
where parent_post_id is not null and not exists (select 1 from all_posts a where a.id = p.parent_post_id);

update all_posts set hidden_count = (
  select count(*) from all_posts r where r.replied_post_id = all_posts.id and r.is_place = 0
)
where id in (select replied_post_id from all_posts where is_place = 0);

-- Likes and notifications stay in their tables and count for people while the post is shown. A job was moving those of the posts in likes_to_move.
insert into likes (id, post_id, user_id, created_at)
select id, post_id, user_id, created_at from removed_likes r
where exists (select 1 from all_posts p where p.id = r.post_id and p.state < 3)
  and not exists (select 1 from likes l where l.post_id = r.post_id and l.user_id = r.user_id);

insert into notifications (user_id, no, post_id, author_id, kind, root_post_id)
select user_id, no, post_id, author_id, kind, root_post_id from removed_notifications r
where exists (select 1 from all_posts p where p.id = r.post_id and p.state < 3)
  and not exists (select 1 from notifications n where n.post_id = r.post_id and n.user_id = r.user_id);

update all_posts set likes_count = (select count(*) from likes l where l.post_id = all_posts.id)
where state in (1, 2) or id in (select post_id from likes_to_move);

update users set likes_count = (
  select count(*) from likes l join all_posts p on p.id = l.post_id where l.user_id = users.id and p.state = 0
)
where id in (select l.user_id from likes l join likes_to_move m on m.post_id = l.post_id);

update reading_positions set unread = (
  select count(*) from notifications n join all_posts p on p.id = n.post_id
  where n.user_id = reading_positions.user_id and n.root_post_id = reading_positions.list
    and n.post_id > reading_positions.post_id and p.state = 0
    and not exists (select 1 from mutes m where m.user_id = n.user_id and m.muted_id = n.author_id)
)
where unread is not null
  and user_id in (select n.user_id from notifications n join likes_to_move m on m.post_id = n.post_id);

update users set
  notifications_count = (
    select count(*) from notifications n join all_posts p on p.id = n.post_id where n.user_id = users.id and p.state = 0
  ),
  unread_count = coalesce((select sum(r.unread) from reading_positions r where r.user_id = users.id and r.unread > 0), 0)
where cleared_at is null and id in (select n.user_id from notifications n join likes_to_move m on m.post_id = n.post_id);

delete from likes
where post_id in (select post_id from likes_to_move) and not exists (select 1 from all_posts p where p.id = post_id and p.state < 3);

delete from notifications
where post_id in (select post_id from likes_to_move) and not exists (select 1 from all_posts p where p.id = post_id and p.state < 3);

delete from jobs where name = 'move-likes';

drop table likes_to_move;
drop table removed_likes;
drop table removed_notifications;
drop table removed_posts;
drop table thread_gaps;

-- The places in a thread: shown posts and gaps. SQLite uses a partial index only for a query with the same words in its condition.
create index replies_by_replied on all_posts (replied_post_id, id) where replied_post_id is not null and is_place = 1;
create index replies_by_thread on all_posts (parent_post_id, id) where parent_post_id is not null and is_place = 1;

create index root_posts_by_user on all_posts (user_id, id) where replied_post_id is null and state = 0 and is_place = 1;
create index replies_by_user on all_posts (user_id, id) where replied_post_id is not null and state = 0 and is_place = 1;

create index removed_posts_by_user on all_posts (user_id, removed_at, id) where state = 2;
create index removed_posts_by_author on all_posts (user_id, id) where state = 2;
create index deleted_posts on all_posts (removed_at, id) where state = 1;
create index unseen_removals on all_posts (user_id, removed_at) where unseen = 1;

-- What everybody sees. A query that forgets the state of a post reads only shown posts.
create view posts as
select
  id, user_id, text, created_at, modified_at, parent_post_id, replied_post_id, depth, pace, closed_by,
  likes_count, replies_count, gaps_count, thread_count
from all_posts where state = 0 and is_place = 1;

-- What keepers have removed, for its author and for keepers.
create view removed_posts as
select
  id, user_id, text, created_at, modified_at, parent_post_id, replied_post_id, depth, pace, closed_by,
  removed_at, reason, with_block, unseen, told_at
from all_posts where state = 2;
