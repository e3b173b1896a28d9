-- Whether a post was removed and its author has not been there since. The row is their notification of the removal.
alter table removed_posts add column unseen integer not null default 0;
create index unseen_removals on removed_posts (user_id) where unseen = 1;

-- What the reporter has written, for the reason «Другое».
alter table reports add column comment text;
