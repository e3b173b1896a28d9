-- Whether a post was removed and its author has not been there since. The row is their notification of the removal.
alter table removed_posts add column unseen integer not null default 0;
-- When a letter has told the author of it.
alter table removed_posts add column told_at bigint;
create index unseen_removals on removed_posts (user_id) where unseen = 1;

-- What the reporter has written, for the reason «Другое».
alter table reports add column comment text;
-- When those who keep the wall got a letter about it.
alter table reports add column told_at bigint;

-- When a block ends by itself; null: only a moderator ends it. Every use of the account compares it with the time.
alter table users add column blocked_until bigint;

-- What a moderator has told the person who has not read it yet.
alter table users add column warning text;

-- What a person is shown of their own data.
create index reports_by_user on reports (user_id, id);
