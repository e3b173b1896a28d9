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

-- The weekly letter with the best posts.
alter table users add column best_weekly smallint not null default 0;
alter table users add column best_at integer not null default 0; -- start of the last week for which the letter was queued or left out

create index users_by_best on users (best_weekly, best_at) where best_weekly = 1;
