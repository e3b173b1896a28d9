-- Posts that their authors have opened to everyone on a wall that only members read.
create table shared_posts (
  post_id integer primary key -- may have been removed since
) strict;
