-- The pace of a discussion: seconds between two replies of one person, 0 without a rule, -1 when nobody may reply any more.
-- It is stored in the row of the root post, or in the gap of a deleted root post.
alter table posts add column pace int4 not null default 0;
alter table removed_posts add column pace int4 not null default 0;
alter table thread_gaps add column pace int4 not null default 0;

-- The first root posts of people. A row is kept for three days.
create table first_posts (
  post_id integer primary key, -- may have been removed since
  created_at integer not null
) strict;
