-- The skeleton of the person's shown name: names that look alike have the same skeleton. Null for deleted accounts.
alter table users add column name_skeleton text;
-- 1: somebody else already had a name with this skeleton when the person took the name.
alter table users add column is_namesake smallint not null default 0;

create index users_by_skeleton on users (name_skeleton) where name_skeleton is not null;

-- A job compares existing names, in the order in which people registered.
insert into jobs (name, key, payload, run_at) select 'compare-names', '', 'null', 0 where exists (select 1 from users);

-- Owners of the wall are never shown as new here.
update users set newcomer_until = null where role = 'owner' and newcomer_until is not null;
