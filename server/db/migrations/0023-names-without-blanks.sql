-- The job compares names again, without signs that nobody sees, and stores them without signs that have no picture.
insert into jobs (name, key, payload, run_at) select 'compare-names', '', 'null', 0 where exists (select 1 from users)
on conflict do nothing;
