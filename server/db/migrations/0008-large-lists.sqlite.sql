-- What is hidden of one person, in the order of ids.
create index hidden_posts_by_author on hidden_posts (user_id, id);

-- Posts whose likes are not yet where the post is: a hundred thousand are moved or removed in parts, after the post.
create table likes_to_move (
  post_id integer primary key,
  post_state text not null -- shown, hidden, deleted
) strict;

-- Likes may stay behind their post for a while, so they no longer refer to it.
create table new_likes (
  id integer primary key autoincrement,
  post_id integer not null,
  user_id integer not null references users (id),
  created_at integer not null,
  unique (post_id, user_id)
) strict;

-- Hidden likes come back under their ids: none may be given again.
insert into sqlite_sequence (name, seq) select 'new_likes', seq from sqlite_sequence where name = 'likes';
insert into new_likes (id, post_id, user_id, created_at) select id, post_id, user_id, created_at from likes;
drop table likes;
alter table new_likes rename to likes;
create index likes_by_user on likes (user_id, id);

create table new_hidden_likes (
  id integer primary key, -- as it was, and will be again
  post_id integer not null,
  user_id integer not null references users (id),
  created_at integer not null,
  unique (post_id, user_id)
) strict;

insert into new_hidden_likes (id, post_id, user_id, created_at) select id, post_id, user_id, created_at from hidden_likes;
drop table hidden_likes;
alter table new_hidden_likes rename to hidden_likes;
create index hidden_likes_by_user on hidden_likes (user_id);
