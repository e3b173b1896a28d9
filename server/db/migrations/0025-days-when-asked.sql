-- The life of the wall is counted when an owner asks for it.
drop table days;
drop index uncounted_users;
alter table users drop column is_counted;
delete from jobs where name = 'keep-days';
