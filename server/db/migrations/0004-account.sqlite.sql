-- A deleted account is hidden by this row alone; what it wrote is cleared away afterwards. Its name stays taken.
alter table users add column deleted_at integer;
alter table users add column cleared_at integer;

create index users_to_clear on users (id) where deleted_at is not null and cleared_at is null;
