-- Usernames that people have left: for a while they are kept from others and lead to whoever had them.
create table left_usernames (
  username_key text primary key,
  user_id bigint not null references users (id),
  left_at bigint not null
);

create index left_usernames_by_user on left_usernames (user_id);
create index left_usernames_by_time on left_usernames (left_at);
