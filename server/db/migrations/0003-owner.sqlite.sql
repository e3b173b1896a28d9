-- An invitation may be a link for several people, and says who invites.
alter table invites add column seats integer not null default 1;
alter table invites add column used integer not null default 0; -- how many have come; used_at and used_by are of the last one
alter table invites add column made_by integer; -- null: an operator, from the command line

update invites set used = 1 where used_at is not null;
