-- A new root post notifies the followers of its author.
create index followed_authors_by_author on followed_authors (author_id, user_id);
