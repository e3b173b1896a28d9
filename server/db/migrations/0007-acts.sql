-- 1: the author has not seen the removal of the post yet. The row is the author's notification of the removal.
alter table removed_posts add column unseen int4 not null default 0;
-- When a letter to the author about the removal was queued.
alter table removed_posts add column told_at integer;
create index unseen_removals on removed_posts (user_id) where unseen = 1;

-- What the reporter has written, for the reason «Другое».
alter table reports add column comment text;
-- When a letter to the keepers about the report was queued.
alter table reports add column told_at integer;

-- When a block ends by itself; null: only a moderator ends it. Every use of the account compares it with the time.
alter table users add column blocked_until integer;

-- A moderator's warning that the person has not read yet.
alter table users add column warning text;

-- For «Мои данные», which lists the reports of a person.
create index reports_by_user on reports (user_id, id);
