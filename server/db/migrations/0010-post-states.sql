-- `closed_by` says who has closed a discussion. Until now the pace said it, too: -1 where a keeper had closed the discussion, and -2 - pace where
-- its author had.
alter table posts add column closed_by text check (closed_by in ('keeper', 'author'));
alter table removed_posts add column closed_by text check (closed_by in ('keeper', 'author'));
alter table thread_gaps add column closed_by text check (closed_by in ('keeper', 'author'));

-- The pace from before a keeper's closing is in the journal, in the entry that nobody has ended.
update posts set closed_by = 'keeper', pace = coalesce((
--sqlite
  select max(case when json_extract(l.details, '$.before') >= 0 then json_extract(l.details, '$.before') else -2 - json_extract(l.details, '$.before') end)
--postgres
  select max(case when (l.details::jsonb ->> 'before')::int4 >= 0 then (l.details::jsonb ->> 'before')::int4 else -2 - (l.details::jsonb ->> 'before')::int4 end)
--both
  from operator_log l
  where l.action = 'lock' and l.target_id = posts.id and l.ended_by is null
), 0)
where pace = -1;

update posts set closed_by = 'author', pace = -2 - pace where pace < -1;

update removed_posts set closed_by = 'keeper', pace = coalesce((
--sqlite
  select max(case when json_extract(l.details, '$.before') >= 0 then json_extract(l.details, '$.before') else -2 - json_extract(l.details, '$.before') end)
--postgres
  select max(case when (l.details::jsonb ->> 'before')::int4 >= 0 then (l.details::jsonb ->> 'before')::int4 else -2 - (l.details::jsonb ->> 'before')::int4 end)
--both
  from operator_log l
  where l.action = 'lock' and l.target_id = removed_posts.id and l.ended_by is null
), 0)
where pace = -1;

update removed_posts set closed_by = 'author', pace = -2 - pace where pace < -1;

update thread_gaps set closed_by = 'keeper', pace = coalesce((
--sqlite
  select max(case when json_extract(l.details, '$.before') >= 0 then json_extract(l.details, '$.before') else -2 - json_extract(l.details, '$.before') end)
--postgres
  select max(case when (l.details::jsonb ->> 'before')::int4 >= 0 then (l.details::jsonb ->> 'before')::int4 else -2 - (l.details::jsonb ->> 'before')::int4 end)
--both
  from operator_log l
  where l.action = 'lock' and l.target_id = thread_gaps.id and l.ended_by is null
), 0)
where pace = -1;

update thread_gaps set closed_by = 'author', pace = -2 - pace where pace < -1;

-- The undo of a closing or an opening restores who had closed the discussion before.
--sqlite
update operator_log set details = json_set(
  json_remove(details, '$.before'),
  '$.closed_by',
  case when json_extract(details, '$.before') = -1 then 'keeper' when json_extract(details, '$.before') < -1 then 'author' end
)
where action in ('lock', 'unlock') and json_extract(details, '$.before') is not null;
--postgres
update operator_log set details = (
  (details::jsonb - 'before') || jsonb_build_object(
    'closed_by',
    case when (details::jsonb ->> 'before')::int4 = -1 then 'keeper' when (details::jsonb ->> 'before')::int4 < -1 then 'author' end
  )
)::text
where action in ('lock', 'unlock') and details::jsonb ->> 'before' is not null;
--both

-- A post keeps its row, whatever its state. Until now a withdrawn post moved to other tables.

alter table posts rename to all_posts;
--postgres

alter sequence posts_id_seq rename to all_posts_id_seq;

-- Changing the column to its own type drops its statistics, which contain texts, and rewrites nothing. It is no longer possible when a view reads
-- the column.
alter table all_posts alter column text set statistics 0, alter column text type text;
--both

alter table all_posts alter column user_id drop not null;
alter table all_posts alter column text drop not null;

alter table all_posts add column state int4 not null default 0 check (state in (0, 1, 2, 3)); -- 0 shown, 1 deleted by the author, 2 removed by a keeper, 3 gone: no text and no author
alter table all_posts add column is_place int4 not null default 1; -- 1: in the tree of its discussion, as a shown post or as a gap
alter table all_posts add column hidden_count int4 not null default 0; -- direct replies that are not in the tree; replies_count has the shown ones and gaps_count the gaps
alter table all_posts add column removed_at integer;
alter table all_posts add column reason text not null default ''; -- of a removal, for the author
alter table all_posts add column with_block int4 not null default 0; -- 1: removed because its author was blocked
alter table all_posts add column unseen int4 not null default 0; -- 1: a removal that the author has not seen
alter table all_posts add column told_at integer; -- when a letter about the removal was queued

--postgres
drop index root_posts;
--both
drop index posts_by_replied;
drop index replies_by_thread;
drop index root_posts_by_user;
drop index replies_by_user;
drop index removed_posts_by_user;
drop index removed_posts_by_author;
drop index deleted_posts;
drop index unseen_removals;

--sqlite
-- The feed. For a column that is compared with a value, the index also has the order of ids.
create index root_posts on all_posts (replied_post_id, id) where replied_post_id is null and state = 0 and is_place = 1;
--postgres
-- The feed.
create index root_posts on all_posts (id) where replied_post_id is null and state = 0 and is_place = 1;
--both

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

insert into notifications (user_id, no, post_id, author_id, kind)
select user_id, no, post_id, author_id, kind from removed_notifications r
where exists (select 1 from all_posts p where p.id = r.post_id and p.state < 3)
  and not exists (select 1 from notifications n where n.post_id = r.post_id and n.user_id = r.user_id);

update all_posts set likes_count = (select count(*) from likes l where l.post_id = all_posts.id)
where state in (1, 2) or id in (select post_id from likes_to_move);

update users set likes_count = (
  select count(*) from likes l join all_posts p on p.id = l.post_id where l.user_id = users.id and p.state = 0
)
where id in (select l.user_id from likes l join likes_to_move m on m.post_id = l.post_id);

update users set notifications_count = (
  select count(*) from notifications n join all_posts p on p.id = n.post_id where n.user_id = users.id and p.state = 0
)
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

-- Posts that have come through the newcomers' gate.
create table gated_posts (
  post_id integer primary key -- may have been removed since
) strict;
--sqlite

-- Until this version, an edit and a publication in one commit took the new post out of the lists of the words of both texts. The job
-- `index-posts` builds the index again.
update search_index set version = 0 where exists (select 1 from all_posts);
--both
