-- The authors whom people follow. Root posts of an author with ids above `after_id` are listed for the person.
create table followed_authors (
  user_id integer not null references users (id),
  author_id integer not null references users (id),
  after_id integer not null, -- the newest post at that time, of whomever
  created_at integer not null,
  primary key (user_id, author_id)
) strict, without rowid;

-- A new root post notifies the followers of its author.
create index followed_authors_by_author on followed_authors (author_id, user_id);

-- The words that people follow or do not want to see.
create table words (
  user_id integer not null references users (id),
  word text not null, -- as typed, in lower case; a tag begins with #
  kind text not null, -- follow, hide
  lexeme text not null, -- of the search
  primary key (user_id, word)
) strict, without rowid;

create index followed_words on words (lexeme, user_id) where kind = 'follow';
create index notifications_of_words on notifications (user_id, post_id) where kind = 'word';

-- The best posts by the number of people who like them or have answered. The job keep-best updates the rows.
create table best_posts (
  post_id integer not null, -- may have been removed since
  period text not null, -- week, month, all
  people int4 not null,
  ends_at integer, -- when the period of the post is over; null: never
  primary key (post_id, period)
) strict;

create index best_posts_by_people on best_posts (period, people, post_id);
create index best_posts_by_end on best_posts (ends_at) where ends_at is not null;

-- The list of people is in the order of their last posts.
alter table users add column last_post_id integer not null default 0; -- the newest shown post or reply of the person; 0: none

update users set last_post_id = written.last_id
from (select user_id, max(id) as last_id from posts group by user_id) written
where users.id = written.user_id;

-- SQLite uses a partial index only for a query with the same words in its condition.
create index users_by_last_post on users (last_post_id, id)
where deleted_at is null and blocked_at is null and not email like 'imported %';
