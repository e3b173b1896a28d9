-- Rows of deleted accounts: notifications of removed posts, and what restored posts have brought back.
delete from removed_notifications where user_id in (select id from users where cleared_at is not null);

delete from notifications where user_id in (select id from users where cleared_at is not null);

delete from reading_positions where user_id in (select id from users where cleared_at is not null);
