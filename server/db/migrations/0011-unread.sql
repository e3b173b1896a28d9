-- A notification is unread while its post is newer than the person's reading position in the discussion. A row of
-- reading_positions has the position and the number of unread notifications; users.unread_count is the sum.

-- Deleted accounts still have notifications of withdrawn posts, and rows that came back with restored posts.
delete from notifications where user_id in (select id from users where cleared_at is not null);
delete from reading_positions where user_id in (select id from users where cleared_at is not null);

alter table notifications add column root_post_id integer not null default 0; -- the discussion

update notifications set root_post_id = coalesce(
  (select coalesce(p.parent_post_id, p.id) from all_posts p where p.id = notifications.post_id),
  post_id
);

create index notifications_by_discussion on notifications (user_id, root_post_id, post_id);

alter table reading_positions add column unread integer; -- unread notifications, without those of muted authors; null: there never was a notification

-- Notifications that were read in the list count as read in their discussions.
insert into reading_positions (user_id, list, post_id, updated_at, unread)
select n.user_id, n.root_post_id, max(case when n.no <= u.notifications_read then n.post_id else 0 end), max(coalesce(p.created_at, u.created_at)), 0
from notifications n
join users u on u.id = n.user_id
left join posts p on p.id = n.post_id
group by n.user_id, n.root_post_id
on conflict (user_id, list) do update set
--sqlite
  post_id = max(reading_positions.post_id, excluded.post_id),
--postgres
  post_id = greatest(reading_positions.post_id, excluded.post_id),
--both
  unread = 0;

update reading_positions set unread = (
  select count(*) from notifications n join posts p on p.id = n.post_id
  where n.user_id = reading_positions.user_id and n.root_post_id = reading_positions.list and n.post_id > reading_positions.post_id
    and not exists (select 1 from mutes m where m.user_id = n.user_id and m.muted_id = n.author_id)
)
where unread is not null;

create index reading_positions_unread on reading_positions (user_id) where unread > 0;

alter table users add column unread_count integer not null default 0; -- unread notifications
alter table users add column unseen_removals integer not null default 0; -- unseen removals of own posts, which the bell also counts

update users set
  unread_count = coalesce((select sum(r.unread) from reading_positions r where r.user_id = users.id and r.unread > 0), 0),
  unseen_removals = (select count(*) from all_posts p where p.user_id = users.id and p.unseen = 1)
where cleared_at is null;

alter table users drop column notifications_read;
alter table reading_positions drop column replies_seen;
