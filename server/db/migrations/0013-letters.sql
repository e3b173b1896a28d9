-- Subscriptions of browsers to messages about notifications. A session has at most one, which ends with the session.
create table push_subscriptions (
  session_id integer primary key references sessions (id) on delete cascade,
  user_id integer not null,
  endpoint text not null unique, -- of the service that the browser has chosen
  p256dh text not null, -- the browser's public key
  auth text not null,
  hides_text int4 not null
) strict;

create index push_subscriptions_by_user on push_subscriptions (user_id);

-- Messages to send: at most one for each session and discussion.
create table pushes (
  session_id integer not null references push_subscriptions (session_id) on delete cascade,
  root_post_id integer not null,
  post_id integer, -- the newest one; null: it was sent, and the next one waits until due_at
  due_at integer not null,
  tries int4 not null default 0,
  primary key (session_id, root_post_id)
) strict;

create index pushes_by_time on pushes (due_at);

-- The order in which mails are sent: 0 codes, 1 notices, 2 answers, 3 letters with notifications, 4 with the best posts, 5 with the posts of a day, 6 with
-- the file of the wall.
alter table outbox add column kind smallint not null default 1;
update outbox set kind = 0 where operation_id is not null;

drop index outbox_by_next_try;
drop index codes_by_next_try;
create index waiting_mails on outbox (kind, next_try_at) where next_try_at is not null;
-- A person has at most one waiting letter of each of these kinds. It is written when it is sent, so it tells of everything until then.
create unique index waiting_letters on outbox (recipient, kind) where kind >= 3 and next_try_at is not null;

alter table users add column best_weekly smallint not null default 0; -- whether a weekly letter has the best posts
alter table users add column best_at integer not null default 0; -- start of the last week for which the letter was queued or left out
alter table users add column replies_at_once smallint not null default 0; -- whether letters tell of answers within minutes
alter table users add column answers_at integer not null default 0; -- when such letters were last decided
alter table users add column answers_no int4 not null default 0; -- number of the newest notification then
alter table users add column wall_daily smallint not null default 0; -- whether a daily letter has all new root posts
alter table users add column wall_daily_at integer not null default 0; -- start of the newest day for which that letter was decided
alter table users add column wall_daily_id integer not null default 0; -- newest root post of the last one
alter table users add column file_monthly smallint not null default 0; -- whether a letter brings the file of the wall once a month
alter table users add column file_at integer not null default 0; -- start of the newest month for which that letter was decided
create index users_by_best on users (best_weekly, best_at) where best_weekly = 1;
create index users_by_answers on users (replies_at_once, digest_at) where replies_at_once = 1;
create index users_by_wall_daily on users (wall_daily, wall_daily_at) where wall_daily = 1;
create index users_by_file on users (file_monthly, file_at) where file_monthly = 1;

alter table notifications add column told smallint not null default 0; -- 1: a letter about answers has told of it, so the digest does not

-- Files with the posts of the wall, which people take away.
create table carries (
  id text primary key, -- random: a part of the private address of the file
  user_id integer references users (id) on delete cascade, -- who asked for it; null: it is for the monthly letters
  of_id integer references users (id) on delete cascade, -- whose posts and discussions; null: everybody's
  with_others smallint not null, -- 1: also the posts of others in these discussions
  year integer, -- only posts of this year; null: of all years
  state text not null default 'making', -- making, ready
  made_at integer not null,
  expires_at integer not null,
  total integer not null default 0, -- posts
  done integer not null default 0,
  below_id integer -- the post at which the making continues
) strict;
create index carries_by_user on carries (user_id, made_at);
create index carries_by_expiry on carries (expires_at);

create table carry_parts (
  carry_id text not null references carries (id) on delete cascade,
  no integer not null,
  part text not null, -- compressed, in base64
  primary key (carry_id, no)
) strict;
--postgres

-- The counts of a person change with every like and reply. A half-empty page has room for the new version of a row next to the old
-- one: then PostgreSQL writes no index. `cluster` writes the existing rows with this room.
alter table users set (fillfactor = 50);
cluster users using users_pkey;
alter table users set without cluster;
--both
