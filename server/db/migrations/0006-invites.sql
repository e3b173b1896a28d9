-- Members can invite. `invited_by` makes the members a tree.
alter table users add column invited_by integer; -- the person may have left since; null also for those invited by an operator
alter table users add column invites_ended_at integer; -- moderators have ended the right to invite, of the person and of those below
create index users_invited_by on users (invited_by) where invited_by is not null;

alter table invites add column by_member int4 not null default 0; -- made in the settings: its code is derived from its id
create index invites_made_by on invites (made_by, id) where by_member = 1;

update users set invited_by = (select max(made_by) from invites where used_by = users.id)
where id in (select used_by from invites where made_by is not null);
