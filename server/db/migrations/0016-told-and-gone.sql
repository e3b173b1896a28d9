-- Deletes what deleted accounts still have: notifications of removed posts, and rows that came back with restored posts.
delete from removed_notifications where user_id in (select id from users where cleared_at is not null);

delete from notifications where user_id in (select id from users where cleared_at is not null);

delete from reading_positions where user_id in (select id from users where cleared_at is not null);
