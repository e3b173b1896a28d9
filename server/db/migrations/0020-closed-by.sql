-- `closed_by` says who has closed a discussion. Until now the pace said it, too: -1 where a keeper had closed the discussion, and -2 - pace where
-- its author had.
alter table posts add column closed_by text check (closed_by in ('keeper', 'author'));
alter table removed_posts add column closed_by text check (closed_by in ('keeper', 'author'));
alter table thread_gaps add column closed_by text check (closed_by in ('keeper', 'author'));

-- The pace from before a keeper's closing is in the journal, in the entry that nobody has ended.
update posts set closed_by = 'keeper', pace = coalesce((
--sqlite
  select max(case when json_extract(l.details, '$.before') >= 0 then json_extract(l.details, '$.before') else -2 - json_extract(l.details, '$.before') end)
--postgres
  select max(case when (l.details::jsonb ->> 'before')::int4 >= 0 then (l.details::jsonb ->> 'before')::int4 else -2 - (l.details::jsonb ->> 'before')::int4 end)
--both
  from operator_log l
  where l.action = 'lock' and l.target_id = posts.id and l.ended_by is null
), 0)
where pace = -1;

update posts set closed_by = 'author', pace = -2 - pace where pace < -1;

update removed_posts set closed_by = 'keeper', pace = coalesce((
--sqlite
  select max(case when json_extract(l.details, '$.before') >= 0 then json_extract(l.details, '$.before') else -2 - json_extract(l.details, '$.before') end)
--postgres
  select max(case when (l.details::jsonb ->> 'before')::int4 >= 0 then (l.details::jsonb ->> 'before')::int4 else -2 - (l.details::jsonb ->> 'before')::int4 end)
--both
  from operator_log l
  where l.action = 'lock' and l.target_id = removed_posts.id and l.ended_by is null
), 0)
where pace = -1;

update removed_posts set closed_by = 'author', pace = -2 - pace where pace < -1;

update thread_gaps set closed_by = 'keeper', pace = coalesce((
--sqlite
  select max(case when json_extract(l.details, '$.before') >= 0 then json_extract(l.details, '$.before') else -2 - json_extract(l.details, '$.before') end)
--postgres
  select max(case when (l.details::jsonb ->> 'before')::int4 >= 0 then (l.details::jsonb ->> 'before')::int4 else -2 - (l.details::jsonb ->> 'before')::int4 end)
--both
  from operator_log l
  where l.action = 'lock' and l.target_id = thread_gaps.id and l.ended_by is null
), 0)
where pace = -1;

update thread_gaps set closed_by = 'author', pace = -2 - pace where pace < -1;

-- The undo of a closing or an opening restores who had closed the discussion before.
--sqlite
update operator_log set details = json_set(
  json_remove(details, '$.before'),
  '$.closed_by',
  case when json_extract(details, '$.before') = -1 then 'keeper' when json_extract(details, '$.before') < -1 then 'author' end
)
where action in ('lock', 'unlock') and json_extract(details, '$.before') is not null;
--postgres
update operator_log set details = (
  (details::jsonb - 'before') || jsonb_build_object(
    'closed_by',
    case when (details::jsonb ->> 'before')::int4 = -1 then 'keeper' when (details::jsonb ->> 'before')::int4 < -1 then 'author' end
  )
)::text
where action in ('lock', 'unlock') and details::jsonb ->> 'before' is not null;
--both
