-- Posts that have come through the newcomers' gate.
create table gated_posts (
  post_id integer primary key -- may have been removed since
) strict;
