-- When the person last put off the question about the name; 0: never.
alter table users add column name_put_off_at int4 not null default 0;
