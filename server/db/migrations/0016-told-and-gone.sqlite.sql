-- Notifications of deleted accounts that wait with removed posts, and what came of those that have returned.
delete from removed_notifications where user_id in (select id from users where cleared_at is not null);

delete from notifications where user_id in (select id from users where cleared_at is not null);

delete from reading_positions where user_id in (select id from users where cleared_at is not null);
