-- The list of people is in the order of their last posts.
alter table users add column last_post_id integer not null default 0; -- the newest shown post or reply of the person; 0: none

update users set last_post_id = written.last_id
from (select user_id, max(id) as last_id from posts group by user_id) written
where users.id = written.user_id;

-- SQLite uses a partial index only for a query with the same words in its condition.
create index users_by_last_post on users (last_post_id, id)
where deleted_at is null and blocked_at is null and not email like 'imported %';
--postgres
-- The wider rows get room next to them again, as in 0024.
cluster users using users_pkey;
alter table users set without cluster;
