-- When the person last put off the question what to call them; 0: never.
alter table users add column name_put_off_at integer not null default 0;
