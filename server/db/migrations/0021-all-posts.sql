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
