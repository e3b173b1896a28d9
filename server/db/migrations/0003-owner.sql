-- An invitation may be a link for several people, and has a maker.
alter table invites add column seats int4 not null default 1;
alter table invites add column used int4 not null default 0; -- people who have registered with it; used_at and used_by are of the last one
alter table invites add column made_by integer; -- null: an operator, from the command line

update invites set used = 1 where used_at is not null;
