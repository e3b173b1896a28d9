-- Posts that their authors have opened to everyone on a wall that only members read.
create table shared_posts (
  post_id bigint primary key -- may have been removed since
);
