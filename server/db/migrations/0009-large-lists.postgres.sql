-- What is hidden of one person, in the order of ids.
create index hidden_posts_by_author on hidden_posts (user_id, id);
