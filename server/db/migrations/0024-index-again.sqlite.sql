-- Until this version, an edit and a publication in one commit took the new post out of the lists of the words of both texts. The job
-- `index-posts` builds the index again.
update search_index set version = 0 where exists (select 1 from all_posts);
