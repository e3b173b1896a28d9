--sqlite
-- Until this version, an edit and a publication in one commit took the new post out of the lists of the words of both texts. The job
-- `index-posts` builds the index again.
update search_index set version = 0 where exists (select 1 from all_posts);
--postgres
-- The counts of a person change with every like and reply. A half-empty page has room for the new version of a row next to the old
-- one: then PostgreSQL writes no index. `cluster` writes the existing rows with this room.
alter table users set (fillfactor = 50);
cluster users using users_pkey;
alter table users set without cluster;
