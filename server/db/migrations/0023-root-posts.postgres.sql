-- The feed.
create index root_posts on all_posts (id) where replied_post_id is null and state = 0 and is_place = 1;

-- Without statistics, PostgreSQL would expect one shown post of 200. Statistics of an empty table would say that it stays empty.
do $$
begin
  if exists (select from all_posts) then
    analyze all_posts;
  end if;
end $$;
