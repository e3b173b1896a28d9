-- The life of the wall: a row for each day in UTC on which somebody has written or registered. The job keep-days updates the rows.
create table days (
  day integer primary key, -- unix time / 86400
  first_id integer not null, -- every post of the day has an id from this one to the last; others may have one too
  last_id integer not null, -- 0: no posts yet
  stale smallint not null, -- what is to be counted again: 0 nothing, 1 people, 2 people and posts
  posts integer not null default 0,
  replies integer not null default 0,
  writers integer not null default 0, -- people who wrote these
  newcomers integer not null default 0, -- people who registered that day and have not left
  answered integer not null default 0 -- those of them whose first post got a reply from somebody else within a day
) strict;

create index stale_days on days (day) where stale > 0;

-- 0: the person has registered, left or claimed an account since the day of the registration was counted.
alter table users add column is_counted smallint not null default 0;

create index uncounted_users on users (id) where is_counted = 0;
create index users_by_time on users (created_at);
