-- The feed. For a column that is compared with a value, the index also has the order of ids.
create index root_posts on all_posts (replied_post_id, id) where replied_post_id is null and state = 0 and is_place = 1;
