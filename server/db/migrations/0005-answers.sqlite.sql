-- Answers to people by others. They are numbered for each person, under that person's row: a higher number never becomes
-- visible before a lower one, so "read up to" loses none.
create table answers (
  user_id integer not null references users (id),
  no integer not null,
  post_id integer not null unique,
  author_id integer not null,
  primary key (user_id, no)
) strict, without rowid;

alter table users add column answers_made integer not null default 0; -- the number given last
alter table users add column answers_count integer not null default 0;
alter table users add column answers_read integer not null default 0; -- up to which number

insert into answers (user_id, no, post_id, author_id)
select q.user_id, row_number() over (partition by q.user_id order by p.id), p.id, p.user_id
from posts p join posts q on q.id = p.replied_post_id
where q.user_id <> p.user_id;

-- What came before anybody could read of it is no news.
update users set answers_made = made.n, answers_count = made.n, answers_read = made.n
from (select user_id, max(no) as n from answers group by user_id) made
where made.user_id = users.id;

-- Whose posts one does not want before one's eyes.
create table mutes (
  user_id integer not null references users (id),
  muted_id integer not null references users (id),
  created_at integer not null,
  primary key (user_id, muted_id)
) strict, without rowid;

-- Whose unread answers a change may change; of these alone a change of kind 'read' tells.
alter table changes add column answered_id integer;
