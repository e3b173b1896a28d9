-- Shared posts: everybody may read them on a wall that otherwise only members read.
create table shared_posts (
  post_id integer primary key -- may have been removed since
) strict;
