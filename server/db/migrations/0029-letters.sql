alter table users add column replies_at_once smallint not null default 0; -- whether letters tell of answers within minutes
alter table users add column answers_at integer not null default 0; -- when such letters were last decided
alter table users add column answers_no int4 not null default 0; -- number of the newest notification then
alter table users add column wall_daily smallint not null default 0; -- whether a daily letter has all new root posts
alter table users add column wall_daily_at integer not null default 0; -- start of the newest day for which that letter was decided
alter table users add column wall_daily_id integer not null default 0; -- newest root post of the last one
create index users_by_answers on users (replies_at_once, digest_at) where replies_at_once = 1;
create index users_by_wall_daily on users (wall_daily, wall_daily_at) where wall_daily = 1;

alter table notifications add column told smallint not null default 0; -- 1: a letter about answers has told of it, so the digest does not
--postgres
-- The wider rows get room next to them again, as in 0024.
cluster users using users_pkey;
alter table users set without cluster;
