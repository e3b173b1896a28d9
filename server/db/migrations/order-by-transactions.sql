-- What happened on the wall, in the order in which it became visible. Event streams resume from a position, which is the
-- number of the transaction. Standbys have this table too: a page made from a standby carries a position of the standby.
create table changes (
  position bigint not null default (pg_current_xact_id()::text::bigint),
  kind text not null, -- new, changed, deleted, restored, counted, ruled, pinned; 'read': the row that begins an empty log
  post_id bigint not null,
  owner_id bigint not null,
  replied_post_id bigint,
  created_at bigint not null,
  root_post_id bigint -- root of the thread of a reply
);

create index changes_by_position on changes (position);

-- Changes whose position is final. A transaction gets its number at its first write, so one with a lower number may still
-- be writing.
create view visible_changes as
  select * from changes where position < pg_snapshot_xmin(pg_current_snapshot())::text::bigint;

-- Tags of what transactions have changed. Other processes read them several times a second and outdate cached responses.
-- The table is unlogged because a process that may have missed rows empties its caches.
create unlogged table announcements (
  position xid8 not null default pg_current_xact_id(),
  origin uuid not null, -- of the process that wrote the row
  tags text not null -- JSON
);

create index announcements_by_position on announcements (position);
