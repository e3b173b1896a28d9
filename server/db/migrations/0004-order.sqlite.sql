-- How often one person may reply in a discussion: seconds between two replies, 0 without a rule, -1 when nobody may reply any more.
-- Only at its root, or the gap of it.
alter table posts add column pace integer not null default 0;
alter table removed_posts add column pace integer not null default 0;
alter table thread_gaps add column pace integer not null default 0;

-- The first root posts of people, for three days.
create table first_posts (
  post_id integer primary key, -- may have been removed since
  created_at integer not null
) strict;
