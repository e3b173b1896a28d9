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

alter table users add column file_monthly smallint not null default 0; -- whether a letter brings the file of the wall once a month
alter table users add column file_at integer not null default 0; -- start of the newest month for which that letter was decided
create index users_by_file on users (file_monthly, file_at) where file_monthly = 1;
