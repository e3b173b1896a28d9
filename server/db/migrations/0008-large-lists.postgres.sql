-- What is hidden of one person, in the order of ids.
create index hidden_posts_by_author on hidden_posts (user_id, id);

-- Posts whose likes are not yet where the post is: a hundred thousand are moved or removed in parts, after the post.
create table likes_to_move (
  post_id bigint primary key,
  post_state text not null -- shown, hidden, deleted
);

-- Likes may stay behind their post for a while, so they no longer refer to it.
alter table likes drop constraint likes_post_id_fkey;
alter table hidden_likes drop constraint hidden_likes_post_id_fkey;
drop index hidden_likes_by_post;
alter table hidden_likes add unique (post_id, user_id);
