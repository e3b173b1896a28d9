-- Codes that confirm a device are not used any more. Their mails are deleted because this version cannot write them.
delete from outbox where operation_id in (select id from operations where purpose = 'device');
delete from operations where purpose = 'device';
alter table sessions drop column new_device;

alter table users add column face text; -- one emoji that the person has chosen
alter table users add column newcomer_until integer; -- posts of the person say until then that the person is new here; null for imported people, owners and accounts of earlier versions
alter table users add column name_skeleton text; -- of the shown name: names that look alike have the same skeleton; null for deleted accounts
alter table users add column is_namesake smallint not null default 0; -- 1: somebody else already had a name with this skeleton when the person took the name
alter table users add column name_put_off_at int4 not null default 0; -- when the person last put off the question about the name; 0: never

create index users_by_skeleton on users (name_skeleton) where name_skeleton is not null;
create index users_by_time on users (created_at);

-- A job compares existing names, in the order in which people registered, and stores them without signs that have no picture.
insert into jobs (name, key, payload, run_at) select 'compare-names', '', 'null', 0 where exists (select 1 from users);
